using Wire;

namespace Versions;

/// <summary>The messages of all releases, for a native program: it has code for those enums alone that it names.</summary>
[WireContext]
[WireDerivedFrom(typeof(Release1.Message))]
[WireDerivedFrom(typeof(Release2.Message))]
[WireDerivedFrom(typeof(Release3.Message))]
[WireDerivedFrom(typeof(Release4.Message))]
[WireType(typeof(ReleaseA.Purchase))]
[WireType(typeof(ReleaseB.Purchase))]
internal sealed partial class MessageTypes : WireTypes;
