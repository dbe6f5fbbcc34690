namespace Quickstart.Metadata;

internal static class ConstantFactory
{
    /// <summary>The node that holds <paramref name="value"/> unboxed.</summary>
    public static ConstantNode Create(object? value) => value switch
    {
        // A null literal carries no type of its own.
        null => new Constant<string>(),
        string text => new Constant<string> { Value = text },
        bool flag => new Constant<bool> { Value = flag },
        char letter => new Constant<char> { Value = letter },
        sbyte number => new Constant<sbyte> { Value = number },
        byte number => new Constant<byte> { Value = number },
        short number => new Constant<short> { Value = number },
        ushort number => new Constant<ushort> { Value = number },
        int number => new Constant<int> { Value = number },
        uint number => new Constant<uint> { Value = number },
        long number => new Constant<long> { Value = number },
        ulong number => new Constant<ulong> { Value = number },
        float number => new Constant<float> { Value = number },
        double number => new Constant<double> { Value = number },
        _ => throw new NotSupportedException($"No constant of type {value.GetType()} exists in metadata."),
    };
}
