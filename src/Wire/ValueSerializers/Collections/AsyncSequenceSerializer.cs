using Wire.AsyncSequences;
using Wire.Errors;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// An async sequence: in its place a number, which it has among those of the payload. Its elements follow the value as frames, the messages
/// of a session of their own (docs/format.md, clause 17), so that they are written and read as they come.
/// </summary>
internal sealed class AsyncSequenceSerializer<T> : ValueSerializer<IAsyncEnumerable<T>>, IMeasured
{
    // What is read, its frames, and their place among those of the payload.
    private const long Memory = 256;

    public override void Write(ref WireWriter writer, IAsyncEnumerable<T> value)
    {
        Serializer serializer = writer.Session.Serializer;
        if (writer.Session.Sequences is not { } sequences)
        {
            ThrowHelper.Unsupported(typeof(IAsyncEnumerable<T>), Advice.ForAsyncSequence);
            return;
        }

        writer.WriteFixed(sequences.Add(
            value, typeof(T), (target, cancellation) => serializer.SendElementsAsync(value, target, cancellation)));
    }

    public override IAsyncEnumerable<T> Read(ref WireReader reader)
    {
        uint number = reader.ReadFixed<uint>();
        DeserializerSession session = reader.Session;
        SequenceFrames frames = session.Sequences is { } sequences ? sequences.Find(number) : NotThere();

        // Every place with one number gets one object.
        if (frames.Sequence is not AsyncSequence<T> sequence)
        {
            frames.Sequence = sequence = new AsyncSequence<T>(session.Serializer, frames);
        }

        return sequence;
    }

    public long MeasureObject() => Memory;

    internal override Shape Describe(ShapeBuilder builder) => Shape.AsyncSequence();

    private static SequenceFrames NotThere() => ThrowHelper.Format<SequenceFrames>(
        WireFormatError.InvalidValue,
        "Not a valid async sequence: its elements follow a value that is written with SerializeAsync, and none follow this one.");
}
