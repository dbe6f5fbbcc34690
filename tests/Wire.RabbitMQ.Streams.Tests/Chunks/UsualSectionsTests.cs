using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams.Tests.Chunks;

/// <summary>What is found by the bytes is what the reader of sections finds.</summary>
public sealed class UsualSectionsTests
{
    private static readonly byte[][] Sections =
    [
        Section(new Header { Durable = true }),
        Section(new MessageAnnotations { Map = AmqpValue.Map((new AmqpSymbol("x-exchange"), "there")) }),
        Section(default(Properties)),
        Section(new Properties { MessageId = 17ul, Subject = new string('s', 300) }),
        Section(new ApplicationProperties { Map = AmqpValue.Map(("region", "north")) }),
        Section(new DataSection { Bytes = new ReadOnlySequence<byte>([1, 2, 3]) }),
        Section(new DataSection { Bytes = new ReadOnlySequence<byte>(new byte[300]) }),
        Section(new ValueSection { Value = 5 }),
        Section(new ValueSection { Value = "text" }),
        Section(new Footer { Map = AmqpValue.Map((new AmqpSymbol("sum"), 1)) }),
    ];

    [Fact]
    public void Finds_what_the_reader_finds_in_any_message_damaged_or_not() => Prop.ForAll(
        Messages.ToArbitrary(),
        message =>
        {
            foreach (SectionKind kind in Enum.GetValues<SectionKind>().Where(kind => kind != SectionKind.Unknown))
            {
                if (UsualSections.TryFind(message, kind, out int at))
                {
                    Assert.Equal(ByReader(message, kind) ?? message.Length, at);
                }
            }

            if (UsualSections.TryFindData(message, out Range data))
            {
                Assert.Equal(DataByReader(message), message[data]);
            }
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Takes_the_messages_of_most_clients_for_usual()
    {
        byte[] message = [.. Sections[1], .. Sections[3], .. Sections[4], .. Sections[5], .. Sections[9]];
        Assert.True(UsualSections.TryFindData(message, out Range data));
        Assert.Equal([1, 2, 3], message[data]);
        Assert.False(UsualSections.TryFindData([.. Sections[5], .. Sections[5]], out _));
        Assert.False(UsualSections.TryFindData(Sections[7], out _));
    }

    // Sections in any order, and now and then a byte that is another one, or an end that is missing.
    private static Gen<byte[]> Messages =>
        from sections in Gen.Elements(Sections).ListOf(4)
        from damaged in Gen.Frequency((3, Gen.Constant(false)), (1, Gen.Constant(true)))
        from place in Gen.Choose(0, 10_000)
        from value in Gen.Choose(0, 255)
        from cut in Gen.Frequency((5, Gen.Constant(0)), (1, Gen.Choose(0, 20)))
        select Damage([.. sections.SelectMany(section => section)], damaged, place, (byte)value, cut);

    private static byte[] Damage(byte[] message, bool damaged, int place, byte value, int cut)
    {
        if (damaged && message.Length > 0)
        {
            message[place % message.Length] = value;
        }

        return message[..Math.Max(0, message.Length - cut)];
    }

    private static int? ByReader(byte[] message, SectionKind kind)
    {
        var reader = new MessageReader(message);
        int at = 0;
        while (reader.TryRead(out Section section))
        {
            if (section.Kind == kind)
            {
                return at;
            }

            AmqpReader value = new(message.AsMemory((int)section.Offset));
            value.SkipValue();
            at = (int)(section.Offset + value.Offset);
        }

        return null;
    }

    private static byte[] DataByReader(byte[] message)
    {
        var reader = new MessageReader(message);
        while (reader.TryRead(out Section section))
        {
            if (section.Kind == SectionKind.Data)
            {
                return section.Read<DataSection>().Bytes.ToArray();
            }
        }

        throw new InvalidOperationException("There is no data.");
    }

    private static byte[] Section<TSection>(TSection section)
        where TSection : struct, ISection<TSection>
    {
        using var output = new AmqpBuffer();
        MessageWriter.Write(output, in section);
        return output.Written.ToArray();
    }
}
