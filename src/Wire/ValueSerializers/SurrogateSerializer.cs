using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <summary>Marks the value serializers that write a stand-in.</summary>
internal interface ISurrogateSerializer;

/// <summary>Writes a stand-in for a value, and makes the value from it again.</summary>
internal sealed class SurrogateSerializer<TSource, TSurrogate>(
    Func<TSource, TSurrogate> to,
    Func<TSurrogate, TSource> from,
    ValueSerializer<TSurrogate> slot) : ValueSerializer<TSource>, ISurrogateSerializer
{
    internal override bool HasOwnSchema => true;

    public override void Write(ref WireWriter writer, TSource value)
    {
        // A stand-in may hold another value of the source type, and then this is a level like any other.
        GraphPath path = writer.Session.Path;
        if (!path.Enter(writer.Member))
        {
            RuntimeHelpers.EnsureSufficientExecutionStack();
        }

        slot.Write(ref writer, to(value));
        writer.Member = path.Exit();
    }

    public override TSource Read(ref WireReader reader) => from(slot.Read(ref reader));

    internal override object ReadObject(ref WireReader reader) => Read(ref reader)
        ?? Throw.Format<object>(WireFormatError.InvalidValue, $"The surrogate {typeof(TSurrogate)} stands for no {typeof(TSource)}: its conversion returned null.");

    internal override Shape Describe(ShapeBuilder builder) => builder.Surrogate(typeof(TSource), slot);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new SurrogateSerializer<TSource, TSurrogate>(to, from, (ValueSerializer<TSurrogate>)slot.Adapt(writer, context));
}
