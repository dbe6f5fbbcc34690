using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams.Tests.Producing;

/// <summary>The frames of a producer, against what was written.</summary>
public sealed class PublishLogTests
{
    private readonly record struct Entry(ulong Id, string? Filter, string Body);

    [Fact]
    public void What_was_written_is_taken_in_frames_and_again_from_where_it_is_not_confirmed()
    {
        Prop.ForAll(
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            seed =>
            {
                var random = new Random(seed);
                using var log = new PublishLog(random.Next(64, 5_000), null) { FrameMax = 8_000 };
                log.Rewind(3, 0);
                var written = new List<Entry>();
                var taken = new List<Entry>();
                ulong confirmed = 0;
                for (int step = 0; step < 60; step++)
                {
                    for (int i = random.Next(30); i > 0; i--)
                    {
                        Write(log, random, written);
                    }

                    switch (random.Next(6))
                    {
                        case 0:
                            confirmed += (ulong)random.NextInt64((long)(log.TakenPosition - confirmed) + 1);
                            log.Release(confirmed);
                            break;
                        case 1:
                            byte publisher = (byte)random.Next(256);
                            log.Rewind(publisher, confirmed);
                            taken.RemoveRange((int)confirmed, taken.Count - (int)confirmed);
                            TakeAll(log, publisher, taken);
                            Assert.Equal(written, taken);
                            break;
                        case 3:
                            // Up to somewhere in what is ready, it is given up: then it is neither sent nor sent again.
                            ulong left = log.TakenPosition
                                + (ulong)random.NextInt64((long)(log.Position - log.TakenPosition) + 1);
                            log.CloseUpTo(left);
                            log.SkipTo(left);
                            Assert.Equal(left, log.TakenPosition);
                            taken = [.. written[..(int)left]];
                            confirmed = left;
                            if (random.Next(2) == 0)
                            {
                                log.Release(confirmed);
                            }

                            break;
                        case 2:
                            TakeAll(log, null, taken, withOpen: false);
                            Assert.Equal(written.Take(taken.Count), taken);
                            break;
                        default:
                            TakeAll(log, null, taken);
                            Assert.Equal(written, taken);
                            break;
                    }
                }

                TakeAll(log, null, taken);
                log.Release(log.TakenPosition);
                Assert.Equal(log.Position, (ulong)written.Count);
                Assert.Equal(0, log.Bytes);
            }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void A_message_has_to_fit_and_is_moved_where_it_does()
    {
        using var log = new PublishLog(100_000, null) { FrameMax = 4_096 };
        log.Rewind(1, 0);
        var taken = new List<Entry>();
        for (int size = 4_096; size > 4_060; size--)
        {
            log.BeginMessage(1, null);
            log.Write("small"u8);
            log.EndMessage();
            log.BeginMessage(2, null);
            log.Write(new byte[size]);
            if (size + 25 > 4_096)
            {
                Assert.Throws<ArgumentException>(() => log.EndMessage());
                log.Undo();
            }
            else
            {
                log.EndMessage();
            }

            int before = taken.Count;
            TakeAll(log, 1, taken);
            Assert.Equal(size + 25 > 4_096 ? 1 : 2, taken.Count - before);
            Assert.Equal("small", taken[before].Body);
            log.Release(log.TakenPosition);
            Assert.Equal(0, log.Bytes);
        }
    }

    [Fact]
    public void The_largest_frame_may_be_the_open_one()
    {
        using var log = new PublishLog(100_000, null);
        log.Rewind(1, 0);
        log.BeginMessage(1, null);
        log.Write(new byte[1_000]);
        log.EndMessage();
        int size = log.Largest().Size;
        Assert.True(log.TryTake(out ReadOnlyMemory<byte> frame));
        Assert.Equal(frame.Length, size);
    }

    private static void Write(PublishLog log, Random random, List<Entry> written)
    {
        var entry = new Entry(
            (ulong)written.Count + 1,
            random.Next(20) == 0 ? new string('f', random.Next(40)) : null,
            new string((char)('a' + random.Next(26)), random.Next(10) == 0 ? random.Next(7_800) : random.Next(40)));
        log.BeginMessage(entry.Id, entry.Filter);
        byte[] body = Encoding.ASCII.GetBytes(entry.Body);
        for (int at = 0; at < body.Length;)
        {
            int count = Math.Min(body.Length - at, random.Next(1, 2_000));
            body.AsSpan(at, count).CopyTo(log.GetSpan(random.Next(count, 4_000)));
            log.Advance(count);
            at += count;
        }

        if (random.Next(8) == 0)
        {
            log.Undo();
            return;
        }

        Assert.True(log.EndMessage());
        written.Add(entry);
    }

    private static void TakeAll(PublishLog log, byte? publisher, List<Entry> taken, bool withOpen = true)
    {
        while (log.TryTake(out ReadOnlyMemory<byte> frames, withOpen))
        {
            for (ReadOnlySpan<byte> rest = frames.Span; !rest.IsEmpty;)
            {
                int size = sizeof(int) + BinaryPrimitives.ReadInt32BigEndian(rest);
                Assert.InRange(size, 25, log.FrameMax);
                Read(rest[..size], publisher, taken);
                rest = rest[size..];
            }
        }

        Assert.Equal((ulong)taken.Count, log.TakenPosition);
    }

    private static void Read(ReadOnlySpan<byte> frame, byte? publisher, List<Entry> taken)
    {
        Assert.Equal(2, BinaryPrimitives.ReadUInt16BigEndian(frame[4..]));
        int version = BinaryPrimitives.ReadUInt16BigEndian(frame[6..]);
        Assert.Equal(publisher ?? frame[8], frame[8]);
        int count = BinaryPrimitives.ReadInt32BigEndian(frame[9..]);
        frame = frame[13..];
        for (int i = 0; i < count; i++)
        {
            ulong id = BinaryPrimitives.ReadUInt64BigEndian(frame);
            frame = frame[8..];
            string? filter = null;
            if (version == 2)
            {
                int filterLength = BinaryPrimitives.ReadInt16BigEndian(frame);
                filter = filterLength < 0 ? null : Encoding.UTF8.GetString(frame.Slice(2, filterLength));
                frame = frame[(2 + Math.Max(0, filterLength))..];
            }

            int length = BinaryPrimitives.ReadInt32BigEndian(frame);
            taken.Add(new Entry(id, filter, Encoding.ASCII.GetString(frame.Slice(4, length))));
            frame = frame[(4 + length)..];
        }

        Assert.Equal(0, frame.Length);
    }
}
