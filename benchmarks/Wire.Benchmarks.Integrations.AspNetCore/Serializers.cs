namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers, of which the second knows the parameter of the hub too.</summary>
internal static class Serializers
{
    public static Serializer Plain { get; } = new(MessageOptions.Plain);

    public static Serializer Known { get; } =
        new(MessageOptions.Known with { KnownTypes = [.. MessageOptions.Known.KnownTypes, new(5, typeof(Enclosed))] });
}
