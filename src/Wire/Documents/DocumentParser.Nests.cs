using Wire.Errors;
using Wire.Format;
using Wire.Messages;

namespace Wire.Documents;

/// <content>Values that are open, and their parts.</content>
internal ref partial struct DocumentParser
{
    // Begins the next part of the innermost open value, or ends that. What it begins may move the reference.
    private void GoOn(ref Nest nest)
    {
        if (nest.Comparers > 0)
        {
            Comparer(ref nest);
        }
        else if (!nest.HasHead)
        {
            nest.Left = Elements(nest.Layout, ReadCount(nest.Layout));
            nest.HasHead = true;
        }
        else if (nest.Left > 0)
        {
            Value(nest.TakePart());
        }
        else
        {
            _level -= nest.Levels;
            Close(nest);
            _nests.RemoveLast();
        }
    }

    private readonly void Close(in Nest nest)
    {
        ref OpenValue value = ref _scratch.OpenValues[nest.Number];
        (value.End, value.Next) = (_in.At, _scratch.OpenValues.Count);
    }

    private void Open(Layout layout, int start, long parts)
    {
        if (parts > 0)
        {
            Begin(new Nest(layout, _scratch.OpenValues.Count) { HasHead = true, Left = parts }, start);
        }
    }

    private void Begin(in Nest nest, int start)
    {
        // Of a nest the open value is there, wherever memory ends.
        Add(_scratch.OpenValues, new OpenValue(start, 0, 0));
        Add(_nests, nest with { Levels = _begun });
        _level += _begun;
    }

    private void Comparer(ref Nest nest)
    {
        byte code = _in.ReadByte();
        if (code == ComparerFormat.Pair && !nest.IsPair)
        {
            nest.IsPair = true;
            nest.Comparers = 2;
            return;
        }

        nest.Comparers--;
        switch (code)
        {
            case ComparerFormat.Culture:
                Scalars.Check(ref _in, Tag.String, limits, isTagged: true);
                _in.Skip(sizeof(int));
                break;
            case ComparerFormat.Untyped or ComparerFormat.UntypedIgnoringCase:
                Scalars.Check(ref _in, Tag.String, limits, isTagged: true);
                break;
            case ComparerFormat.Object:
                Value(Layout.Tagged);
                break;
            case var _ when !ComparerFormat.IsKnown(code):
                ThrowHelper.InvalidValue("comparer", $"{code} is not a comparer");
                break;
        }
    }

    /// <summary>An open value.</summary>
    /// <param name="layout">Its layout.</param>
    /// <param name="number">Its number.</param>
    private struct Nest(Layout layout, int number)
    {
        private int _part;

        public readonly Layout Layout => layout;

        public readonly int Number => number;

        /// <summary>Gets or sets the number of comparers that are still to come.</summary>
        public int Comparers { get; set; }

        /// <summary>Gets or sets whether there are two comparers.</summary>
        public bool IsPair { get; set; }

        /// <summary>Gets or sets whether the number of parts is known.</summary>
        public bool HasHead { get; set; }

        /// <summary>Gets or sets the number of parts that are still to come.</summary>
        public long Left { get; set; }

        /// <summary>Gets the number of objects that the value is: a collection around another one is two.</summary>
        public int Levels { get; init; }

        /// <summary>Gets the number of parts that have begun.</summary>
        public readonly int Taken => _part;

        public Layout TakePart()
        {
            Left--;
            int part = _part++;
            return layout.Code == ShapeCode.Members ? layout.Members[part].Layout
                : layout.Value is not null && (part & 1) != 0 ? layout.Value : layout.Element!;
        }
    }
}
