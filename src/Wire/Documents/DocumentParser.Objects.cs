using Wire.Errors;

namespace Wire.Documents;

/// <content>Objects, references to them, and those that stand for each other (docs/format.md, clause 8).</content>
internal ref partial struct DocumentParser
{
    private void Reference()
    {
        if (IsTolerant)
        {
            _in.ReadVarUInt32();
            return;
        }

        if (!_tracking)
        {
            ThrowHelper.Format(WireFormatError.Reference, "The payload has a reference, and its header says that there are none.");
        }

        uint number = _in.ReadVarUInt32();
        if (number >= (uint)_objects)
        {
            ThrowHelper.Format(
                WireFormatError.Reference, $"The payload refers to object {number}, and only {_objects} object(s) have begun.");
        }

        _scratch.Numbered[_scratch.Numbered[(int)number].Outer].IsReferredTo = true;
    }

    private void Number(int start, Layout? position, ref int outer)
    {
        if (++_objects > limits.MaxObjects)
        {
            ThrowHelper.Limit(nameof(Limits.MaxObjects), limits.MaxObjects, "The number of objects");
        }

        _depth = Math.Max(_depth, _level + ++_begun);
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
            ThrowHelper.Format(WireFormatError.Length, $"A frame of {length} byte(s) cannot hold {objects} objects.");
        }

        _in.Skip(length);
        int begun = _begun;
        for (uint i = 0; i < objects; i++)
        {
            // How they lie inside each other is not known.
            _begun = begun;
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
