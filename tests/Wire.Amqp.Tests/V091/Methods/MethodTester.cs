using System.Buffers;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.Tests.V091.Methods;

/// <summary>What the tests do with every method alike.</summary>
public abstract class MethodTester
{
    /// <summary>One for each method of the library.</summary>
    public static IReadOnlyList<MethodTester> All { get; } = [.. typeof(IMethod<>).Assembly.GetTypes()
        .Where(type => type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IMethod<>)))
        .Select(type => (MethodTester)Activator.CreateInstance(typeof(MethodTester<>).MakeGenericType(type))!)];

    public abstract string Name { get; }

    public abstract MethodId Id { get; }

    /// <summary>Domains and names, as in protocol.txt.</summary>
    public abstract string List();

    /// <summary>Names and values of a method whose arguments are made of these bytes, and its frame.</summary>
    public abstract (string Values, byte[] Frame) Write(byte[] noise, ushort channel);

    /// <summary>Names and values of the method in a frame.</summary>
    public abstract string Read(in Frame frame);
}

public sealed class MethodTester<TMethod> : MethodTester
    where TMethod : struct, IMethod<TMethod>
{
    public override string Name => typeof(TMethod).Name;

    public override MethodId Id => TMethod.Id;

    public override string List()
    {
        TMethod method = default;
        var listing = new ListArguments([]);
        TMethod.Arguments(ref method, ref listing);
        return string.Join(", ", listing.Domains);
    }

    public override (string Values, byte[] Frame) Write(byte[] noise, ushort channel)
    {
        TMethod method = default;
        var arbitrary = new ArbitraryArguments(new Noise(noise));
        TMethod.Arguments(ref method, ref arbitrary);
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, method);
        Assert.Equal(FrameWriter.SizeOf(method), output.WrittenCount);
        Assert.Throws<InvalidOperationException>(() => FrameWriter.Write(new byte[output.WrittenCount + 1], channel, method));
        Assert.Throws<ArgumentException>(() => FrameWriter.Write(new byte[output.WrittenCount - 1], channel, method));
        return (Values(ref method), output.WrittenSpan.ToArray());
    }

    public override string Read(in Frame frame)
    {
        TMethod method = frame.ReadMethod<TMethod>();
        return Values(ref method);
    }

    private static string Values(ref TMethod method)
    {
        var listing = new ListArguments([]);
        TMethod.Arguments(ref method, ref listing);
        return string.Join(", ", listing.Values);
    }
}
