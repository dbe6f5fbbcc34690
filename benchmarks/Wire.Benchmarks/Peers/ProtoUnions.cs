using Bench.FSharp;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Peers;

/// <summary>What a message can say of which it holds one of several, as a <c>oneof</c>.</summary>
internal static partial class ProtoMap
{
    public static Proto.ShapeList To(List<IShape> value) => new() { Items = { value.Select(ToShape) } };

    public static List<IShape> From(Proto.ShapeList value) => [.. value.Items.Select(FromShape)];

    public static Proto.Arguments To(object?[] value) => new() { Items = { value.Select(ToArgument) } };

    public static object?[] From(Proto.Arguments value) => [.. value.Items.Select(FromArgument)];

    public static Proto.EventList To(FSharpList<Event> value) => new() { Items = { value.Select(ToEvent) } };

    public static FSharpList<Event> From(Proto.EventList value) => ListModule.OfSeq(value.Items.Select(FromEvent));

    public static object ToRemark(object value) => value is Remark remark
        ? new Proto.Remark { Id = remark.Id, Author = remark.Author, Text = remark.Text, Ticks = remark.At.Ticks }
        : throw Unknown(value);

    public static object FromRemark(object value) => value is Proto.Remark remark
        ? new Remark { Id = remark.Id, Author = remark.Author, Text = remark.Text, At = Bits.Utc(remark.Ticks) }
        : throw Unknown(value);

    public static Proto.Message ToMessage(object value) => value switch
    {
        Ping ping => new() { Ping = new() { Sequence = ping.Sequence } },
        Ack ack => new()
        {
            Ack = new() { MessageLow = Bits.Low(ack.Message), MessageHigh = Bits.High(ack.Message), IsAccepted = ack.IsAccepted },
        },
        Reading reading => new() { Reading = new() { Sensor = reading.Sensor, Value = reading.Value, Ticks = reading.At.Ticks } },
        Notice notice => new() { Notice = new() { Topic = notice.Topic, Text = notice.Text } },
        Poco poco => new() { Poco = To(poco) },
        Move move => new() { Move = new() { From = move.From, To = move.To, Color = (Proto.Color)move.Color } },
        Transfer transfer => new()
        {
            Transfer = new()
            {
                IdLow = Bits.Low(transfer.Id),
                IdHigh = Bits.High(transfer.Id),
                From = new() { Bank = transfer.From.Bank, Number = transfer.From.Number },
                To = new() { Bank = transfer.To.Bank, Number = transfer.To.Number },
                AmountLow = Bits.Low(transfer.Amount),
                AmountHigh = Bits.High(transfer.Amount),
            },
        },
        Samples samples => new() { Samples = new() { Sensor = samples.Sensor, Values = { samples.Values } } },
        Basket basket => new()
        {
            Basket = new()
            {
                IdLow = Bits.Low(basket.Id),
                IdHigh = Bits.High(basket.Id),
                Customer = basket.Customer,
                Lines =
                {
                    basket.Lines.Select(line => new Proto.Line { Product = line.Product, Quantity = line.Quantity, Price = line.Price }),
                },
            },
        },
        _ => throw Unknown(value),
    };

    public static object FromMessage(Proto.Message value) => value.MessageCase switch
    {
        Proto.Message.MessageOneofCase.Ping => new Ping { Sequence = value.Ping.Sequence },
        Proto.Message.MessageOneofCase.Ack => new Ack
        {
            Message = Bits.Guid(value.Ack.MessageLow, value.Ack.MessageHigh),
            IsAccepted = value.Ack.IsAccepted,
        },
        Proto.Message.MessageOneofCase.Reading => new Reading
        {
            Sensor = value.Reading.Sensor,
            Value = value.Reading.Value,
            At = Bits.Utc(value.Reading.Ticks),
        },
        Proto.Message.MessageOneofCase.Notice => new Notice { Topic = value.Notice.Topic, Text = value.Notice.Text },
        Proto.Message.MessageOneofCase.Poco => From(value.Poco),
        Proto.Message.MessageOneofCase.Move => new Move { From = value.Move.From, To = value.Move.To, Color = (Color)value.Move.Color },
        Proto.Message.MessageOneofCase.Transfer => new Transfer
        {
            Id = Bits.Guid(value.Transfer.IdLow, value.Transfer.IdHigh),
            From = new() { Bank = value.Transfer.From.Bank, Number = value.Transfer.From.Number },
            To = new() { Bank = value.Transfer.To.Bank, Number = value.Transfer.To.Number },
            Amount = Bits.Decimal(value.Transfer.AmountLow, value.Transfer.AmountHigh),
        },
        Proto.Message.MessageOneofCase.Samples => new Samples { Sensor = value.Samples.Sensor, Values = [.. value.Samples.Values] },
        Proto.Message.MessageOneofCase.Basket => new Basket
        {
            Id = Bits.Guid(value.Basket.IdLow, value.Basket.IdHigh),
            Customer = value.Basket.Customer,
            Lines =
            [
                .. value.Basket.Lines.Select(
                    line => new Line { Product = line.Product, Quantity = line.Quantity, Price = line.Price }),
            ],
        },
        _ => throw Unknown(value),
    };

    private static Proto.Figure To(Figure value) => value.Shape switch
    {
        Dot dot => new() { Id = value.Id, Dot = To(dot) },
        Circle circle => new() { Id = value.Id, Circle = To(circle) },
        Box box => new() { Id = value.Id, Box = To(box) },
        Label label => new() { Id = value.Id, Label = To(label) },
        Switch on => new() { Id = value.Id, Switch = To(on) },
        _ => throw Unknown(value.Shape),
    };

    private static Figure From(Proto.Figure value) => new()
    {
        Id = value.Id,
        Shape = value.ShapeCase switch
        {
            Proto.Figure.ShapeOneofCase.Dot => From(value.Dot),
            Proto.Figure.ShapeOneofCase.Circle => From(value.Circle),
            Proto.Figure.ShapeOneofCase.Box => From(value.Box),
            Proto.Figure.ShapeOneofCase.Label => From(value.Label),
            Proto.Figure.ShapeOneofCase.Switch => From(value.Switch),
            _ => throw Unknown(value),
        },
    };

    private static Proto.Shape ToShape(IShape value) => value switch
    {
        Dot dot => new() { Dot = To(dot) },
        Circle circle => new() { Circle = To(circle) },
        Box box => new() { Box = To(box) },
        Label label => new() { Label = To(label) },
        Switch on => new() { Switch = To(on) },
        _ => throw Unknown(value),
    };

    private static IShape FromShape(Proto.Shape value) => value.ShapeCase switch
    {
        Proto.Shape.ShapeOneofCase.Dot => From(value.Dot),
        Proto.Shape.ShapeOneofCase.Circle => From(value.Circle),
        Proto.Shape.ShapeOneofCase.Box => From(value.Box),
        Proto.Shape.ShapeOneofCase.Label => From(value.Label),
        Proto.Shape.ShapeOneofCase.Switch => From(value.Switch),
        _ => throw Unknown(value),
    };

    private static Proto.Dot To(Dot value) => new() { X = value.X, Y = value.Y };

    private static Dot From(Proto.Dot value) => new() { X = value.X, Y = value.Y };

    private static Proto.Circle To(Circle value) => new() { X = value.X, Y = value.Y, Radius = value.Radius };

    private static Circle From(Proto.Circle value) => new() { X = value.X, Y = value.Y, Radius = value.Radius };

    private static Proto.Box To(Box value) => new() { Width = value.Width, Height = value.Height };

    private static Box From(Proto.Box value) => new() { Width = value.Width, Height = value.Height };

    private static Proto.Label To(Label value) => new() { Text = value.Text };

    private static Label From(Proto.Label value) => new() { Text = value.Text };

    private static Proto.Switch To(Switch value) => new() { IsOn = value.IsOn, Since = value.Since };

    private static Switch From(Proto.Switch value) => new() { IsOn = value.IsOn, Since = value.Since };

    private static Proto.Argument ToArgument(object? value) => value switch
    {
        null => new(),
        int number => new() { Int32 = number },
        long number => new() { Int64 = number },
        string text => new() { Text = text },
        bool flag => new() { Flag = flag },
        double number => new() { Double = number },
        Guid guid => new() { Uuid = new() { Low = Bits.Low(guid), High = Bits.High(guid) } },
        DateTime { Kind: DateTimeKind.Utc } time => new() { Ticks = time.Ticks },
        Color color => new() { Color = (Proto.Color)color },
        int[] numbers => new() { Ints = To(numbers) },
        object?[] nested => new() { Nested = To(nested) },
        Poco poco => new() { Poco = To(poco) },
        _ => throw Unknown(value),
    };

    private static object? FromArgument(Proto.Argument value) => value.ValueCase switch
    {
        Proto.Argument.ValueOneofCase.None => null,
        Proto.Argument.ValueOneofCase.Int32 => value.Int32,
        Proto.Argument.ValueOneofCase.Int64 => value.Int64,
        Proto.Argument.ValueOneofCase.Text => value.Text,
        Proto.Argument.ValueOneofCase.Flag => value.Flag,
        Proto.Argument.ValueOneofCase.Double => value.Double,
        Proto.Argument.ValueOneofCase.Uuid => Bits.Guid(value.Uuid.Low, value.Uuid.High),
        Proto.Argument.ValueOneofCase.Ticks => Bits.Utc(value.Ticks),
        Proto.Argument.ValueOneofCase.Color => (Color)value.Color,
        Proto.Argument.ValueOneofCase.Ints => From(value.Ints),
        Proto.Argument.ValueOneofCase.Nested => From(value.Nested),
        Proto.Argument.ValueOneofCase.Poco => From(value.Poco),
        _ => throw Unknown(value),
    };

    private static Proto.Event ToEvent(Event value) => value switch
    {
        Event.Opened opened => new() { Opened = new() { Owner = opened.owner, Currency = opened.currency } },
        Event.Deposited deposited => new() { Deposited = new() { Amount = deposited.amount, Ticks = deposited.at.Ticks } },
        Event.Withdrawn withdrawn => new()
        {
            Withdrawn = new() { Amount = withdrawn.amount, Ticks = withdrawn.at.Ticks, Fee = withdrawn.fee },
        },
        Event.Renamed renamed => new() { Renamed = new() { Owner = renamed.owner } },
        _ => new() { Closed = new() },
    };

    private static Event FromEvent(Proto.Event value) => value.EventCase switch
    {
        Proto.Event.EventOneofCase.Opened => Event.NewOpened(value.Opened.Owner, value.Opened.Currency),
        Proto.Event.EventOneofCase.Deposited => Event.NewDeposited(value.Deposited.Amount, Bits.Utc(value.Deposited.Ticks)),
        Proto.Event.EventOneofCase.Withdrawn =>
            Event.NewWithdrawn(value.Withdrawn.Amount, Bits.Utc(value.Withdrawn.Ticks), value.Withdrawn.Fee),
        Proto.Event.EventOneofCase.Renamed => Event.NewRenamed(value.Renamed.Owner),
        Proto.Event.EventOneofCase.Closed => Event.Closed,
        _ => throw Unknown(value),
    };

    private static InvalidOperationException Unknown(object? value) => new($"Nothing stands for {value}.");
}
