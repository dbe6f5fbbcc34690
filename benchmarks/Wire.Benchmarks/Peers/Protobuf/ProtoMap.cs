using Bench;
using Google.Protobuf;

namespace Wire.Benchmarks.Peers.Protobuf;

/// <summary>The model as messages of Protocol Buffers and back. Not a part of what is timed.</summary>
internal static class ProtoMap
{
    public static Proto.OneInt To(OneInt value) => new() { Number = value.Number };

    public static OneInt From(Proto.OneInt value) => new() { Number = value.Number };

    public static Proto.OneString To(OneString value) => new() { Text = value.Text };

    public static OneString From(Proto.OneString value) => new() { Text = value.Text };

    public static Proto.Poco To(Poco value) => new()
    {
        Text = value.StringProp,
        Number = value.IntProp,
        GuidLow = Bits.Low(value.GuidProp),
        GuidHigh = Bits.High(value.GuidProp),
        Ticks = value.DateProp.Ticks,
    };

    public static Poco From(Proto.Poco value) => new()
    {
        StringProp = value.Text,
        IntProp = value.Number,
        GuidProp = Bits.Guid(value.GuidLow, value.GuidHigh),
        DateProp = Bits.Utc(value.Ticks),
    };

    public static Proto.PocoList To(List<Poco> value) => new() { Items = { value.Select(To) } };

    public static List<Poco> From(Proto.PocoList value) => [.. value.Items.Select(From)];

    public static Proto.PocoMap To(Dictionary<string, Poco> value) => new() { Items = { value.ToDictionary(pair => pair.Key, pair => To(pair.Value)) } };

    public static Dictionary<string, Poco> From(Proto.PocoMap value) => value.Items.ToDictionary(pair => pair.Key, pair => From(pair.Value));

    public static Proto.Ints To(int[] value) => new() { Items = { value } };

    public static int[] From(Proto.Ints value) => [.. value.Items];

    public static Proto.FigureList To(List<Figure> value) => new() { Items = { value.Select(To) } };

    public static List<Figure> From(Proto.FigureList value) => [.. value.Items.Select(From)];

    public static Proto.Order To(Order value)
    {
        var order = new Proto.Order
        {
            Number = value.Number,
            CustomerNumber = value.CustomerNumber,
            LineCount = value.LineCount,
            Priority = value.Priority,
            Warehouse = value.Warehouse,
            Revision = value.Revision,
            Retries = value.Retries,
            Flags = value.Flags,
            Sequence = value.Sequence,
            Offset = value.Offset,
            TotalCents = value.TotalCents,
            Version = value.Version,
            Weight = value.Weight,
            Volume = value.Volume,
            Distance = value.Distance,
            Discount = value.Discount,
            Score = value.Score,
            IsPaid = value.IsPaid,
            IsShipped = value.IsShipped,
            Channel = value.Channel,
            Region = value.Region,
            Stage = value.Stage,
            Checksum = value.Checksum,
            PriceLow = Bits.Low(value.Price),
            PriceHigh = Bits.High(value.Price),
            Customer = value.Customer,
            Street = value.Street,
            City = value.City,
            IdLow = Bits.Low(value.Id),
            IdHigh = Bits.High(value.Id),
            CorrelationLow = Bits.Low(value.Correlation),
            CorrelationHigh = Bits.High(value.Correlation),
            Created = value.Created.Ticks,
            Changed = value.Changed.Ticks,
            Timeout = value.Timeout.Ticks,
            Due = value.Due.Ticks,
            DueOffset = value.Due.TotalOffsetMinutes,
            Status = (Proto.OrderStatus)value.Status,
            Lines = { value.Lines },
            Document = ByteString.CopyFrom(value.Document),
        };
        if (value.Comment is { } comment)
        {
            order.Comment = comment;
        }

        if (value.Coupon is { } coupon)
        {
            order.Coupon = coupon;
        }

        if (value.Rating is { } rating)
        {
            order.Rating = rating;
        }

        if (value.Cancelled is { } cancelled)
        {
            order.Cancelled = cancelled.Ticks;
        }

        return order;
    }

    public static Order From(Proto.Order value) => new()
    {
        Number = value.Number,
        CustomerNumber = value.CustomerNumber,
        LineCount = value.LineCount,
        Priority = value.Priority,
        Warehouse = value.Warehouse,
        Revision = value.Revision,
        Retries = value.Retries,
        Flags = value.Flags,
        Sequence = value.Sequence,
        Offset = value.Offset,
        TotalCents = value.TotalCents,
        Version = value.Version,
        Weight = value.Weight,
        Volume = value.Volume,
        Distance = value.Distance,
        Discount = value.Discount,
        Score = value.Score,
        IsPaid = value.IsPaid,
        IsShipped = value.IsShipped,
        Channel = (short)value.Channel,
        Region = (short)value.Region,
        Stage = (byte)value.Stage,
        Checksum = value.Checksum,
        Price = Bits.Decimal(value.PriceLow, value.PriceHigh),
        Customer = value.Customer,
        Street = value.Street,
        City = value.City,
        Comment = value.HasComment ? value.Comment : null,
        Id = Bits.Guid(value.IdLow, value.IdHigh),
        Correlation = Bits.Guid(value.CorrelationLow, value.CorrelationHigh),
        Created = Bits.Utc(value.Created),
        Changed = Bits.Utc(value.Changed),
        Timeout = TimeSpan.FromTicks(value.Timeout),
        Due = new DateTimeOffset(value.Due, TimeSpan.FromMinutes(value.DueOffset)),
        Coupon = value.HasCoupon ? value.Coupon : null,
        Rating = value.HasRating ? value.Rating : null,
        Cancelled = value.HasCancelled ? Bits.Utc(value.Cancelled) : null,
        Status = (OrderStatus)value.Status,
        Lines = [.. value.Lines],
        Document = value.Document.ToByteArray(),
    };

    private static Proto.Figure To(Figure value) => value.Shape switch
    {
        Dot dot => new() { Id = value.Id, Dot = new() { X = dot.X, Y = dot.Y } },
        Circle circle => new() { Id = value.Id, Circle = new() { X = circle.X, Y = circle.Y, Radius = circle.Radius } },
        Box box => new() { Id = value.Id, Box = new() { Width = box.Width, Height = box.Height } },
        Label label => new() { Id = value.Id, Label = new() { Text = label.Text } },
        Switch on => new() { Id = value.Id, Switch = new() { IsOn = on.IsOn, Since = on.Since } },
        _ => throw new InvalidOperationException($"No message stands for {value.Shape}."),
    };

    private static Figure From(Proto.Figure value) => new()
    {
        Id = value.Id,
        Shape = value.ShapeCase switch
        {
            Proto.Figure.ShapeOneofCase.Dot => new Dot { X = value.Dot.X, Y = value.Dot.Y },
            Proto.Figure.ShapeOneofCase.Circle => new Circle { X = value.Circle.X, Y = value.Circle.Y, Radius = value.Circle.Radius },
            Proto.Figure.ShapeOneofCase.Box => new Box { Width = value.Box.Width, Height = value.Box.Height },
            Proto.Figure.ShapeOneofCase.Label => new Label { Text = value.Label.Text },
            Proto.Figure.ShapeOneofCase.Switch => new Switch { IsOn = value.Switch.IsOn, Since = value.Switch.Since },
            _ => throw new InvalidOperationException("The message holds no shape."),
        },
    };
}
