using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Bench.FSharp;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// A byte for each case and its fields, and at the end the count, which an F# list knows only when it has been gone through.
/// </summary>
internal readonly struct EventsFloor : IFloor<FSharpList<Event>>
{
    private const int FixedBytes = 1 + (3 * sizeof(long));

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(FSharpList<Event> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        int count = 0;
        for (FSharpList<Event> rest = value; !rest.IsEmpty; rest = rest.Tail)
        {
            WriteEvent(rest.Head, ref writer);
            count++;
        }

        writer.Reserve(sizeof(int));
        writer.Int32(count);

        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static FSharpList<Event> Read(ReadOnlySpan<byte> payload)
    {
        int length = payload.Length - sizeof(int);
        int count = BinaryPrimitives.ReadInt32LittleEndian(payload[length..]);
        if ((uint)count > (uint)length)
        {
            throw new ArgumentException("There are fewer bytes than events.");
        }

        var reader = new SpanReader(payload[..length]);
        Event[] events = ArrayPool<Event>.Shared.Rent(count);
        for (int i = 0; i < count; i++)
        {
            events[i] = ReadEvent(ref reader);
        }

        FSharpList<Event> list = FSharpList<Event>.Empty;
        for (int i = count - 1; i >= 0; i--)
        {
            list = FSharpList<Event>.Cons(events[i], list);
        }

        ArrayPool<Event>.Shared.Return(events, clearArray: true);
        return list;
    }

    private static void WriteEvent(Event item, ref SpanWriter writer)
    {
        writer.Reserve(FixedBytes);
        writer.Byte((byte)item.Tag);
        switch (item)
        {
            case Event.Opened opened:
                writer.Reserve(SpanWriter.Room(opened.owner) + SpanWriter.Room(opened.currency));
                writer.Text(opened.owner);
                writer.Text(opened.currency);
                break;
            case Event.Deposited deposited:
                writer.Int64(deposited.amount);
                writer.Date(deposited.at);
                break;
            case Event.Withdrawn withdrawn:
                writer.Int64(withdrawn.amount);
                writer.Date(withdrawn.at);
                writer.Double(withdrawn.fee);
                break;
            case Event.Renamed renamed:
                writer.Reserve(SpanWriter.Room(renamed.owner));
                writer.Text(renamed.owner);
                break;
            default:
                break;
        }
    }

    private static Event ReadEvent(ref SpanReader reader) => reader.Byte() switch
    {
        Event.Tags.Opened => Event.NewOpened(reader.Text(), reader.Text()),
        Event.Tags.Deposited => Event.NewDeposited(reader.Int64(), reader.Date()),
        Event.Tags.Withdrawn => Event.NewWithdrawn(reader.Int64(), reader.Date(), reader.Double()),
        Event.Tags.Renamed => Event.NewRenamed(reader.Text()),
        Event.Tags.Closed => Event.Closed,
        var other => throw new ArgumentException($"There is no case {other}."),
    };
}
