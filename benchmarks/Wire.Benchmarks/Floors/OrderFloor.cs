using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Floors;

/// <summary>All forty members, one after the other; the list and the bytes as blocks.</summary>
internal readonly struct OrderFloor : IFloor<Order>
{
    /// <summary>More than all that is neither text nor list nor bytes.</summary>
    private const int FixedBytes = 256;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(Order value, IBufferWriter<byte> output)
    {
        ReadOnlySpan<byte> lines = MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(value.Lines));
        var writer = new SpanWriter(output);
        writer.Reserve(FixedBytes + SpanWriter.Room(value.Customer) + SpanWriter.Room(value.Street) + SpanWriter.Room(value.City)
            + SpanWriter.Room(value.Comment) + lines.Length + value.Document.Length);
        WriteNumbers(value, ref writer);
        writer.Text(value.Customer);
        writer.Text(value.Street);
        writer.Text(value.City);
        writer.Bool(value.Comment is not null);
        if (value.Comment is { } comment)
        {
            writer.Text(comment);
        }

        writer.Guid(value.Id);
        writer.Guid(value.Correlation);
        writer.Date(value.Created);
        writer.Date(value.Changed);
        writer.Int64(value.Timeout.Ticks);
        writer.Int64(value.Due.Ticks);
        writer.Int16((short)value.Due.TotalOffsetMinutes);
        writer.Bool(value.Coupon.HasValue);
        writer.Int32(value.Coupon.GetValueOrDefault());
        writer.Bool(value.Rating.HasValue);
        writer.Double(value.Rating.GetValueOrDefault());
        writer.Bool(value.Cancelled.HasValue);
        writer.Date(value.Cancelled.GetValueOrDefault());
        writer.Byte((byte)value.Status);
        writer.Int32(value.Lines.Count);
        writer.Block(lines);
        writer.Int32(value.Document.Length);
        writer.Block(value.Document);
        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Order Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        var order = new Order();
        ReadNumbers(order, ref reader);
        order.Customer = reader.Text();
        order.Street = reader.Text();
        order.City = reader.Text();
        order.Comment = reader.Bool() ? reader.Text() : null;
        order.Id = reader.Guid();
        order.Correlation = reader.Guid();
        order.Created = reader.Date();
        order.Changed = reader.Date();
        order.Timeout = new TimeSpan(reader.Int64());
        order.Due = new DateTimeOffset(reader.Int64(), TimeSpan.FromMinutes(reader.Int16()));
        (bool hasCoupon, int coupon) = (reader.Bool(), reader.Int32());
        order.Coupon = hasCoupon ? coupon : null;
        (bool hasRating, double rating) = (reader.Bool(), reader.Double());
        order.Rating = hasRating ? rating : null;
        (bool isCancelled, DateTime cancelled) = (reader.Bool(), reader.Date());
        order.Cancelled = isCancelled ? cancelled : null;
        order.Status = (OrderStatus)reader.Byte();
        order.Lines = ReadLines(ref reader);
        order.Document = reader.Block(reader.Count(1)).ToArray();
        return order;
    }

    private static void WriteNumbers(Order value, ref SpanWriter writer)
    {
        writer.Int32(value.Number);
        writer.Int32(value.CustomerNumber);
        writer.Int32(value.LineCount);
        writer.Int32(value.Priority);
        writer.Int32(value.Warehouse);
        writer.Int32(value.Revision);
        writer.Int32(value.Retries);
        writer.Int32(value.Flags);
        writer.Int64(value.Sequence);
        writer.Int64(value.Offset);
        writer.Int64(value.TotalCents);
        writer.Int64(value.Version);
        writer.Double(value.Weight);
        writer.Double(value.Volume);
        writer.Double(value.Distance);
        writer.Single(value.Discount);
        writer.Single(value.Score);
        writer.Bool(value.IsPaid);
        writer.Bool(value.IsShipped);
        writer.Int16(value.Channel);
        writer.Int16(value.Region);
        writer.Byte(value.Stage);
        writer.Int32((int)value.Checksum);
        writer.Decimal(value.Price);
    }

    private static void ReadNumbers(Order order, ref SpanReader reader)
    {
        order.Number = reader.Int32();
        order.CustomerNumber = reader.Int32();
        order.LineCount = reader.Int32();
        order.Priority = reader.Int32();
        order.Warehouse = reader.Int32();
        order.Revision = reader.Int32();
        order.Retries = reader.Int32();
        order.Flags = reader.Int32();
        order.Sequence = reader.Int64();
        order.Offset = reader.Int64();
        order.TotalCents = reader.Int64();
        order.Version = reader.Int64();
        order.Weight = reader.Double();
        order.Volume = reader.Double();
        order.Distance = reader.Double();
        order.Discount = reader.Single();
        order.Score = reader.Single();
        order.IsPaid = reader.Bool();
        order.IsShipped = reader.Bool();
        order.Channel = reader.Int16();
        order.Region = reader.Int16();
        order.Stage = reader.Byte();
        order.Checksum = (uint)reader.Int32();
        order.Price = reader.Decimal();
    }

    private static List<int> ReadLines(ref SpanReader reader)
    {
        int count = reader.Count(sizeof(int));
        List<int> lines = new(count);
        CollectionsMarshal.SetCount(lines, count);
        reader.Block(count * sizeof(int)).CopyTo(MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(lines)));
        return lines;
    }
}
