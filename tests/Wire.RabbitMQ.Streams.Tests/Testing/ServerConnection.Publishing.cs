using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

internal sealed partial class ServerConnection
{
    private readonly Dictionary<byte, DeclarePublisher> _publishers = [];
    private readonly HashSet<byte> _everDeclared = [];
    private readonly List<(byte Publisher, ulong Id)> _confirms = [];

    /// <summary>Says what is stored, unless that is held back.</summary>
    public void SendConfirms()
    {
        if (server.HoldsConfirms)
        {
            return;
        }

        foreach (IGrouping<byte, ulong> ids in _confirms.GroupBy(each => each.Publisher, each => each.Id))
        {
            Send(Frame(CommandKey.PublishConfirm, ids.Key, [.. ids], sizeof(ulong), BinaryPrimitives.WriteUInt64BigEndian));
        }

        _confirms.Clear();
    }

    private StreamResponseCode Declare(DeclarePublisher request)
    {
        Assert.True(request.Reference is null || request.Reference.Length <= 255);
        bool isTaken = _publishers.ContainsKey(request.PublisherId)
            || (request.Reference is { Length: > 0 }
                && _publishers.Values.Any(other => other.Stream == request.Stream && other.Reference == request.Reference));
        if (isTaken || Find(request.Stream!) is null)
        {
            return isTaken ? StreamResponseCode.PreconditionFailed : StreamResponseCode.StreamDoesNotExist;
        }

        _publishers.Add(request.PublisherId, request);
        _everDeclared.Add(request.PublisherId);
        return StreamResponseCode.Ok;
    }

    private void HandlePublish(ushort version, ReadOnlySpan<byte> fields)
    {
        byte publisherId = fields[0];
        int count = BinaryPrimitives.ReadInt32BigEndian(fields[1..]);
        Assert.True(count > 0, "It publishes nothing.");
        var ids = new List<ulong>();
        var entries = new List<byte[]>();
        var filters = new List<string?>();
        ReadOnlySpan<byte> rest = fields[(sizeof(byte) + sizeof(int))..];
        for (int i = 0; i < count; i++)
        {
            ids.Add(BinaryPrimitives.ReadUInt64BigEndian(rest));
            rest = rest[sizeof(ulong)..];
            filters.Add(version < 2 ? null : TakeText(ref rest));
            entries.Add(TakeEntry(ref rest));
        }

        Assert.Equal(0, rest.Length);
        lock (server.Gate)
        {
            Store(publisherId, ids, entries, filters);
        }
    }

    private void Store(byte publisherId, List<ulong> ids, List<byte[]> entries, List<string?> filters)
    {
        if (!_publishers.TryGetValue(publisherId, out DeclarePublisher publisher))
        {
            Assert.True(_everDeclared.Contains(publisherId), $"Publisher {publisherId} was never declared.");
            SendErrors(publisherId, [.. ids.Select(id => (id, StreamResponseCode.PublisherDoesNotExist))]);
            return;
        }

        ServerStream stream = server.Streams[publisher.Stream!];
        bool isNamed = publisher.Reference is { Length: > 0 };
        ulong last = isNamed ? stream.Sequences.GetValueOrDefault(publisher.Reference!) : 0;
        var errors = new List<(ulong, StreamResponseCode)>();
        var stored = new List<int>();
        for (int i = 0; i < ids.Count; i++)
        {
            if (server.RefuseMessage(publisher.Stream!, ids[i]) is { } code)
            {
                errors.Add((ids[i], code));
                continue;
            }

            // What it has already is confirmed too.
            _confirms.Add((publisherId, ids[i]));
            if (!isNamed || ids[i] > last)
            {
                stored.Add(i);
                last = ids[i];
            }
        }

        if (isNamed)
        {
            stream.Sequences[publisher.Reference!] = last;
        }

        if (stored.Count > 0)
        {
            stream.Append([.. stored.Select(i => entries[i])], [.. stored.Select(i => filters[i])]);
            server.SendChunks(publisher.Stream!);
        }

        SendErrors(publisherId, errors);
        SendConfirms();
    }

    private void SendErrors(byte publisherId, List<(ulong Id, StreamResponseCode Code)> errors)
    {
        if (errors.Count > 0)
        {
            Send(Frame(CommandKey.PublishError, publisherId, errors, sizeof(ulong) + sizeof(ushort), static (bytes, error) =>
            {
                BinaryPrimitives.WriteUInt64BigEndian(bytes, error.Id);
                BinaryPrimitives.WriteUInt16BigEndian(bytes[sizeof(ulong)..], (ushort)error.Code);
            }));
        }
    }

    private delegate void WriteElement<T>(Span<byte> bytes, T element);

    private static byte[] Frame<T>(CommandKey key, byte publisherId, List<T> elements, int size, WriteElement<T> write)
    {
        byte[] frame = new byte[13 + (elements.Count * size)];
        BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length - StreamFrames.SizeBytes);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(4), (ushort)key);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(6), 1);
        frame[8] = publisherId;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(9), elements.Count);
        for (int i = 0; i < elements.Count; i++)
        {
            write(frame.AsSpan(13 + (i * size)), elements[i]);
        }

        return frame;
    }

    private static byte[] TakeEntry(ref ReadOnlySpan<byte> bytes)
    {
        bool isBatch = ServerChunk.IsBatch(bytes);
        int length;
        if (isBatch)
        {
            Assert.InRange((bytes[0] >> 4) & 7, 0, 4);
            Assert.Equal(0, bytes[0] & 0xf);
            Assert.NotEqual(0, BinaryPrimitives.ReadUInt16BigEndian(bytes[1..]));
            length = 11 + BinaryPrimitives.ReadInt32BigEndian(bytes[7..]);
        }
        else
        {
            length = sizeof(int) + BinaryPrimitives.ReadInt32BigEndian(bytes);
        }

        byte[] entry = bytes[..length].ToArray();
        bytes = bytes[length..];
        return entry;
    }

    private static string? TakeText(ref ReadOnlySpan<byte> bytes)
    {
        short length = BinaryPrimitives.ReadInt16BigEndian(bytes);
        int taken = sizeof(short) + Math.Max(length, (short)0);
        string? text = length < 0 ? null : System.Text.Encoding.UTF8.GetString(bytes[sizeof(short)..taken]);
        bytes = bytes[taken..];
        return text;
    }
}
