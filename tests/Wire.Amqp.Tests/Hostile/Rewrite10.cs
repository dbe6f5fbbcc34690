using System.Buffers;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;
using Wire.Testing.Fuzzing;

namespace Wire.Amqp.Tests.Hostile;

/// <summary>Reads AMQP 1.0 to its last value, and builds it again.</summary>
internal static class Rewrite10
{
    // Smaller values are not worth an array of their own, which counts as much as what the library allocates.
    private const int WorthCopying = 16;

    // For descriptors, each of which is built apart: as many as are inside each other.
    [ThreadStatic]
    private static Stack<AmqpBuilder>? _spare;

    /// <summary>Values one after the other.</summary>
    public static byte[] Values(ReadOnlySequence<byte> input)
    {
        var output = new ArrayBufferWriter<byte>();
        var builder = new AmqpBuilder();
        var reader = new AmqpReader(in input);
        while (!reader.IsAtEnd)
        {
            AmqpReader passing = reader;
            passing.SkipValue();
            AmqpValue value = reader.ReadValue();
            Promise(
                passing.Offset == reader.Offset, $"A value ends at byte {reader.Offset}, and at {passing.Offset} when it is passed over.");
            Write(output, Copy(builder, value));
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>The sections of a message.</summary>
    public static byte[] Message(ReadOnlySequence<byte> input)
    {
        var output = new ArrayBufferWriter<byte>();
        var builder = new AmqpBuilder();
        var reader = new MessageReader(in input);
        while (reader.TryRead(out Section section))
        {
            AmqpValue value = Copy(builder, section.ReadValue());
            switch (section.Kind)
            {
                case SectionKind.Unknown:
                    Write(output, AmqpValue.Describe(Copy(new AmqpBuilder(), section.Descriptor), value));
                    break;
                case SectionKind.Header:
                    Write(output, section.Read<Header>());
                    break;
                case SectionKind.DeliveryAnnotations:
                    Write(output, section.Read<DeliveryAnnotations>() with { Map = value.As<AmqpMap>() });
                    break;
                case SectionKind.MessageAnnotations:
                    Write(output, section.Read<MessageAnnotations>() with { Map = value.As<AmqpMap>() });
                    break;
                case SectionKind.Properties:
                    Write(output, section.Read<Properties>());
                    break;
                case SectionKind.ApplicationProperties:
                    Write(output, section.Read<ApplicationProperties>() with { Map = value.As<AmqpMap>() });
                    break;
                case SectionKind.Data:
                    Write(output, section.Read<DataSection>());
                    break;
                case SectionKind.Sequence:
                    Write(output, section.Read<SequenceSection>() with { List = value.As<AmqpList>() });
                    break;
                case SectionKind.Value:
                    Write(output, section.Read<ValueSection>() with { Value = value });
                    break;
                default:
                    Write(output, section.Read<Footer>() with { Map = value.As<AmqpMap>() });
                    break;
            }
        }

        return output.WrittenSpan.ToArray();
    }

    private static void Write<TSection>(ArrayBufferWriter<byte> output, TSection section)
        where TSection : struct, ISection<TSection>
    {
        int size = MessageWriter.SizeOf(in section);
        int written = MessageWriter.Write(output, in section);
        Promise(size == written, $"A section of {size} bytes takes {written}.");
    }

    private static void Write(ArrayBufferWriter<byte> output, AmqpValue value)
    {
        int size = value.EncodedSize;
        var writer = new AmqpWriter(output.GetSpan(size));
        writer.WriteValue(in value);
        Promise(size == writer.Written, $"A value of {size} bytes takes {writer.Written}.");
        output.Advance(size);
    }

    // What can be made an object is as deep as it may be, so that nothing here has to count.
    private static AmqpValue Copy(AmqpBuilder builder, AmqpValue value)
    {
        _ = value.ToObject();
        _ = value.ToString();
        builder.Clear();
        Add(builder, value);
        AmqpValue copy = builder.Build();
        Promise(copy == value && copy.GetHashCode() == value.GetHashCode(), "A value that was built again is another.");
        Promise(value.EncodedSize < WorthCopying || value.Copy() == value, "The copy of a value is another.");
        return copy;
    }

    private static void Add(AmqpBuilder builder, AmqpValue value)
    {
        switch (value.Type)
        {
            case AmqpType.List:
                builder.BeginList();
                foreach (AmqpValue element in value.As<AmqpList>())
                {
                    Add(builder, element);
                }

                builder.End();
                break;

            case AmqpType.Map:
                builder.BeginMap();
                foreach ((AmqpValue key, AmqpValue entry) in value.As<AmqpMap>())
                {
                    Add(builder, key);
                    Add(builder, entry);
                }

                builder.End();
                break;

            case AmqpType.Array:
                AddArray(builder, value);
                break;

            case AmqpType.Described:
                AddDescriptor(value.Descriptor, descriptor => builder.Describe(descriptor));
                Add(builder, value.Undescribed);
                break;

            default:
                builder.Add(in value);
                break;
        }
    }

    private static void AddArray(AmqpBuilder builder, AmqpValue value)
    {
        AmqpArray array = value.As<AmqpArray>();
        AmqpType type = array.ElementType;
        if (type == AmqpType.Described)
        {
            // Of which type the values are only they say; and the builder has no array of values with several descriptors.
            AmqpValue first = array.Count == 0 ? default : array[0].Undescribed;
            if (array.Count == 0 || first.Type == AmqpType.Described)
            {
                builder.Add(in value);
                return;
            }

            AddDescriptor(array[0].Descriptor, descriptor => builder.BeginArray(first.Type, descriptor));
        }
        else
        {
            builder.BeginArray(type);
        }

        foreach (AmqpValue element in array)
        {
            Add(builder, type == AmqpType.Described ? element.Undescribed : element);
        }

        builder.End();
    }

    private static void AddDescriptor(AmqpValue descriptor, Action<AmqpValue> add)
    {
        Stack<AmqpBuilder> spare = _spare ??= new Stack<AmqpBuilder>();
        AmqpBuilder builder = spare.TryPop(out AmqpBuilder? another) ? another.Clear() : new AmqpBuilder();
        Add(builder, descriptor);
        add(builder.Build());
        spare.Push(builder);
    }

    private static void Promise(bool holds, string broken)
    {
        if (!holds)
        {
            throw new BrokenPromiseException("rewrite", broken);
        }
    }
}
