using Bench;

namespace Wire.Instructions;

/// <summary>The messages whose members have generated code.</summary>
[WireContext]
[WireType(typeof(Order))]
[WireDerivedFrom(typeof(IMessage))]
internal sealed partial class GeneratedMessages : WireTypes;
