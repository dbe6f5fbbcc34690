using Orleans;

namespace Wire.Integrations.Actors.Tests.Orleans;

/// <summary>A type with a codec of Orleans, whose members are messages of Wire.</summary>
[GenerateSerializer]
public sealed class Envelope
{
    [Id(0)]
    public ShopMessage? First { get; set; }

    [Id(1)]
    public string Between { get; set; } = "";

    [Id(2)]
    public ShopMessage? Again { get; set; }

    [Id(3)]
    public List<ShopMessage> All { get; set; } = [];
}

[GenerateSerializer]
public sealed class Tag
{
    [Id(0)]
    public string Text { get; set; } = "";
}

/// <summary>A type before it got a member.</summary>
[GenerateSerializer]
public sealed class OldEnvelope
{
    [Id(0)]
    public object? Before { get; set; }

    [Id(2)]
    public object? After { get; set; }
}

/// <summary>The same type with it.</summary>
[GenerateSerializer]
public sealed class NewEnvelope
{
    [Id(0)]
    public object? Before { get; set; }

    [Id(1)]
    public ShopMessage? Added { get; set; }

    [Id(2)]
    public object? After { get; set; }
}
