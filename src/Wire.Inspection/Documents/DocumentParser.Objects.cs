using Wire.Errors;
using Wire.Format;
using Wire.Runtime;

namespace Wire.Documents;

/// <content>Objects, references to them, and those that stand for each other (docs/format.md, clause 8).</content>
internal ref partial struct DocumentParser
{
    private void Object()
    {
        // No part takes no bytes, so that each value with tags begins elsewhere.
        if (_walker.Start != _value)
        {
            (_value, _firstTag, _tags, _outer, _named) = (_walker.Start, (int)_walker.TagStart, 0, -1, null);
        }

        if (++_tags > FewTags)
        {
            Note(new TagChain(_firstTag, (int)_walker.TagStart, _walker.Shape, _named));
        }

        Number((int)_walker.TagStart, _walker.Shape, ref _outer);
        Shape? inside = _walker.Inside;
        int levels = 1;
        if (inside is null && _walker.Tag != Tag.Object)
        {
            PayloadType type = _walker.Tag == Tag.Definition ? Define((int)_walker.TagStart)
                : Find(ManifestContent.ReadIdentifier(ref _in, _walker.Tag));
            inside = LayoutOf(type, _walker.Shape);

            // The serializer reads what stands in, and then the value.
            levels = type.IsSurrogate ? 2 : 1;
        }

        Enter(inside, levels);
    }

    private readonly void Reference(uint number)
    {
        if (IsTolerant)
        {
            return;
        }

        if (!_tracking)
        {
            ThrowHelper.Format(WireFormatError.Reference, "The payload has a reference, and its header says that there are none.");
        }

        if (number >= (uint)_objects)
        {
            ThrowHelper.Format(
                WireFormatError.Reference, $"The payload refers to object {number}, and only {_objects} object(s) have begun.");
        }

        _scratch.Numbered[_scratch.Numbered[(int)number].Outer].IsReferredTo = true;
    }

    private void Number(int start, Shape? position, ref int outer)
    {
        if (++_objects > limits.MaxObjects)
        {
            ThrowHelper.Limit(nameof(Limits.MaxObjects), limits.MaxObjects, "The number of objects");
        }

        _depth = Math.Max(_depth, _level + 1);
        if (_tracking)
        {
            int number = _scratch.Numbered.Count;
            outer = outer < 0 ? number : outer;
            Add(_scratch.Numbered, new NumberedObject(start, _scratch.OpenValues.Count, position, outer));
        }
    }

    private void Framed()
    {
        int start = _in.At;
        uint length = _in.ReadCount(1);
        uint objects = _tracking ? _in.ReadVarUInt32() : 0;
        if (objects > length)
        {
            ThrowHelper.Format(WireFormatError.Length, $"A block of {length} byte(s) cannot hold {objects} objects.");
        }

        _in.Skip(length);
        for (uint i = 0; i < objects; i++)
        {
            // How they lie inside each other is not known.
            int own = -1;
            Number(start, null, ref own);
        }
    }

    private void Note(in TagChain chain)
    {
        Segments<TagChain> chains = _scratch.Chains;
        if (chains.Count > 0 && chains.Last.Start == chain.Start)
        {
            chains.Last = chain;
        }
        else
        {
            Add(chains, chain);
        }
    }
}
