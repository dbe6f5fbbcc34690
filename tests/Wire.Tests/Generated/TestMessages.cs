namespace Wire.Tests.Generated;

/// <summary>The rows of all types of these tests, with code for the members of those that it can be generated for.</summary>
[WireContext]
[WireDerivedFrom(typeof(object))]
internal sealed partial class TestMessages : WireTypes;
