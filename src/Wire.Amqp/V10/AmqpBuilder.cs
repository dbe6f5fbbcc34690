using System.Buffers.Binary;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Builds lists, maps, arrays and described values, nested as they are, straight into their most compact bytes. Reusable: after the first
/// few values nothing is allocated. Not thread-safe.
/// </summary>
/// <remarks>
/// Each container is written once, after room for the large form of its size; when it ends and the small form suffices, its at most 255
/// bytes move down. After an exception, <see cref="Clear"/> before continuing.
/// </remarks>
public sealed class AmqpBuilder
{
    // Constructor, size and count, in the large form and in the small one.
    private const int LargeHeader = 1 + sizeof(uint) + sizeof(uint);
    private const int SmallHeader = 1 + sizeof(byte) + sizeof(byte);

    private readonly GrowingBuffer _buffer = new();
    private Frame[] _frames = new Frame[4];
    private int _depth;
    private int _descriptors;
    private bool _complete;

    /// <summary>Forgets everything and begins again. What <see cref="Build"/> has returned is overwritten.</summary>
    public AmqpBuilder Clear()
    {
        _buffer.Length = 0;
        _depth = 0;
        _descriptors = 0;
        _complete = false;
        return this;
    }

    /// <summary>Adds a value to the container that was begun last, or makes it the whole. In a map, keys and values take turns.</summary>
    /// <exception cref="ArgumentException">
    /// It is of another type than the array's elements, or a text has an unpaired surrogate.
    /// </exception>
    /// <exception cref="InvalidOperationException">The whole is complete: take it and clear.</exception>
    public AmqpBuilder Add(in AmqpValue value)
    {
        bool bare = BeforeValue(value.Type);
        var writer = new AmqpWriter(_buffer);
        if (bare)
        {
            _frames[_depth - 1].Narrow &= Elements.Write(ref writer, value);
        }
        else
        {
            writer.WriteValue(value);
        }

        writer.Finish();
        AfterValue();
        return this;
    }

    /// <summary>Adds an entry to a map.</summary>
    /// <inheritdoc cref="Add(in AmqpValue)"/>
    public AmqpBuilder Add(in AmqpValue key, in AmqpValue value) => Add(key).Add(value);

    /// <summary>Describes the value that is added or begun next.</summary>
    /// <exception cref="InvalidOperationException">
    /// The whole is complete, more than 64 descriptors follow each other, or an array is being built, whose elements share the descriptor
    /// that it was begun with.
    /// </exception>
    public AmqpBuilder Describe(in AmqpValue descriptor)
    {
        if (_depth > 0 && _frames[_depth - 1].Type == AmqpType.Array)
        {
            throw new InvalidOperationException("The elements of an array share one descriptor: give it to BeginArray.");
        }

        CheckIncomplete();
        if (++_descriptors > AmqpValue.MaxDepth)
        {
            throw new InvalidOperationException($"A value has at most {AmqpValue.MaxDepth} descriptors.");
        }

        var writer = new AmqpWriter(_buffer);
        writer.Write(Constructor.Described);
        writer.WriteValue(descriptor);
        writer.Finish();
        return this;
    }

    /// <summary>Begins a list. What is added until <see cref="End"/> are its elements.</summary>
    /// <exception cref="ArgumentException">An array of other elements is being built.</exception>
    /// <exception cref="InvalidOperationException">The whole is complete, or 64 containers are inside each other already.</exception>
    public AmqpBuilder BeginList() => BeginContainer(AmqpType.List);

    /// <summary>Begins a map. What is added until <see cref="End"/> are its keys and values in turns.</summary>
    /// <inheritdoc cref="BeginList"/>
    public AmqpBuilder BeginMap() => BeginContainer(AmqpType.Map);

    /// <summary>Begins an array. What is added until <see cref="End"/> are its elements, all of one type.</summary>
    /// <inheritdoc cref="BeginList"/>
    public AmqpBuilder BeginArray(AmqpType elements)
    {
        Elements.WideCode(elements);
        BeginContainer(AmqpType.Array);
        return BeginElements(elements);
    }

    /// <summary>
    /// Begins an array of described values, which share a descriptor. What is added until <see cref="End"/> are the values without it.
    /// </summary>
    /// <inheritdoc cref="BeginList"/>
    public AmqpBuilder BeginArray(AmqpType elements, in AmqpValue descriptor)
    {
        Elements.WideCode(elements);
        BeginContainer(AmqpType.Array);
        var writer = new AmqpWriter(_buffer);
        writer.Write(Constructor.Described);
        writer.WriteValue(descriptor);
        writer.Finish();
        return BeginElements(elements);
    }

    /// <summary>Ends the container that was begun last.</summary>
    /// <exception cref="InvalidOperationException">
    /// No container is open, a key of a map has no value, or a descriptor has no value.
    /// </exception>
    public AmqpBuilder End()
    {
        if (_depth == 0 || _descriptors > 0)
        {
            throw new InvalidOperationException(
                _depth == 0 ? "There is nothing to end: begin a list, map or array." : "Add the value that is described.");
        }

        ref Frame frame = ref _frames[_depth - 1];
        if (frame.Type == AmqpType.Map && (frame.Count & 1) != 0)
        {
            throw new InvalidOperationException("Add the value of the last key.");
        }

        if (frame.Type == AmqpType.Array)
        {
            NarrowElements(frame);
        }

        _depth--;
        Close(frame);
        AfterValue();
        return this;
    }

    /// <summary>
    /// The value that has been built: a view of the builder's memory, valid until <see cref="Clear"/>; <see cref="AmqpValue.Copy"/> keeps
    /// it.
    /// </summary>
    /// <exception cref="InvalidOperationException">Nothing has been added, or what has been begun is not ended.</exception>
    public AmqpValue Build()
    {
        if (!_complete)
        {
            throw new InvalidOperationException(_depth > 0 ? "End every list, map and array first." : "Add a value first.");
        }

        try
        {
            var reader = new AmqpReader(_buffer.Filled);
            return reader.ReadValue();
        }
        catch (AmqpFormatException e) when (e.Error == AmqpFormatError.Depth)
        {
            throw new InvalidOperationException($"A value has at most {AmqpValue.MaxDepth} descriptors.", e);
        }
    }

    private AmqpBuilder BeginContainer(AmqpType type)
    {
        if (_depth == AmqpValue.MaxDepth)
        {
            throw new InvalidOperationException($"Lists, maps and arrays can be nested at most {AmqpValue.MaxDepth} deep.");
        }

        bool bare = BeforeValue(type);
        int start = _buffer.Length;
        var writer = new AmqpWriter(_buffer);
        if (!bare)
        {
            writer.Write(Elements.WideCode(type));
        }

        writer.Write(0UL);
        writer.Finish();
        if (_depth == _frames.Length)
        {
            System.Array.Resize(ref _frames, _depth * 2);
        }

        _frames[_depth++] = new Frame { Type = type, Start = start, Content = _buffer.Length, IsBare = bare };
        _descriptors = 0;
        return this;
    }

    private AmqpBuilder BeginElements(AmqpType elements)
    {
        var writer = new AmqpWriter(_buffer);
        writer.Write(Elements.WideCode(elements));
        writer.Finish();
        ref Frame frame = ref _frames[_depth - 1];
        frame.ElementType = elements;
        frame.Elements = _buffer.Length;
        frame.Narrow = true;
        return this;
    }

    private void NarrowElements(in Frame frame)
    {
        byte narrow = Elements.NarrowCode(frame.ElementType);
        Span<byte> filled = _buffer.Whole[.._buffer.Length];
        if (frame.Narrow && filled[frame.Elements - 1] != narrow)
        {
            filled[frame.Elements - 1] = narrow;
            _buffer.Length = frame.Elements + Elements.Narrow(filled[frame.Elements..], frame.ElementType);
        }
    }

    // Fills in size and count.
    private void Close(in Frame frame)
    {
        Span<byte> filled = _buffer.Whole[.._buffer.Length];
        int length = filled.Length - frame.Content;
        bool narrow = Elements.FitsNarrow(length, (uint)frame.Count);
        if (frame.IsBare)
        {
            _frames[_depth - 1].Narrow &= narrow;
        }
        else if (frame.Type == AmqpType.List && frame.Count == 0)
        {
            filled[frame.Start] = Constructor.List0;
            _buffer.Length = frame.Start + 1;
            return;
        }
        else if (narrow)
        {
            filled[frame.Start] = Elements.NarrowCode(frame.Type);
            filled[frame.Start + 1] = (byte)(length + 1);
            filled[frame.Start + 2] = (byte)frame.Count;
            filled[frame.Content..].CopyTo(filled[(frame.Start + SmallHeader)..]);
            _buffer.Length -= LargeHeader - SmallHeader;
            return;
        }

        BinaryPrimitives.WriteInt32BigEndian(filled[(frame.Content - 8)..], length + sizeof(uint));
        BinaryPrimitives.WriteInt32BigEndian(filled[(frame.Content - 4)..], frame.Count);
    }

    // True if the value is an array element, which has no constructor.
    private bool BeforeValue(AmqpType type)
    {
        CheckIncomplete();
        if (_depth == 0 || _frames[_depth - 1].Type != AmqpType.Array)
        {
            return false;
        }

        ref Frame array = ref _frames[_depth - 1];
        if (type != array.ElementType)
        {
            throw new ArgumentException(
                $"The elements of this array are of type {Constructor.Name(array.ElementType)}, and this is {Constructor.Name(type)}.");
        }

        if (type == AmqpType.Null && array.Count == AmqpArray.MaxElementsWithoutBytes)
        {
            throw new ArgumentException($"An array of nulls has at most {AmqpArray.MaxElementsWithoutBytes} elements.");
        }

        return true;
    }

    private void AfterValue()
    {
        _descriptors = 0;
        if (_depth > 0)
        {
            _frames[_depth - 1].Count++;
        }
        else
        {
            _complete = true;
        }
    }

    private void CheckIncomplete()
    {
        if (_complete)
        {
            throw new InvalidOperationException("The value is complete: call Build, and Clear before the next value.");
        }
    }

    // A container that has been begun.
    private struct Frame
    {
        public AmqpType Type;

        // Its beginning, and the position after its count.
        public int Start;
        public int Content;
        public int Count;

        // True if it is an element of an array.
        public bool IsBare;

        // For an array: the type and position of its elements, and a flag that all fit the narrow form.
        public AmqpType ElementType;
        public int Elements;
        public bool Narrow;
    }
}
