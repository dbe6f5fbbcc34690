using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using Index = Nerdbank.MessagePack.KeyAttribute;

namespace Bench.Quoted;

/// <summary>A number and a text: the message that Nerdbank.MessagePack quotes, with its values.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer, GenerateShape]
public partial class SimplePoco
{
    [Key(0), Index(0), Id(0)]
    public int SomeInt { get; set; }

    [Key(1), Index(1), Id(1)]
    public string? SomeString { get; set; }

    internal static SimplePoco Create() => new() { SomeInt = 42, SomeString = "Hello, World!" };
}
