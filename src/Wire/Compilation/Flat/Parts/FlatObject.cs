using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>Null, or an object of exactly the declared type, behind what announces it.</summary>
internal sealed class FlatObject : FlatPart
{
    private readonly TypeEntry _entry;
    private readonly NestedType _type;
    private readonly int _index;
    private readonly FlatClass _class;

    private readonly FlatLead _lead;

    /// <summary>Makes it.</summary>
    /// <param name="variable">The variable.</param>
    /// <param name="entry">The type.</param>
    /// <param name="index">Which of the types of the message it is.</param>
    /// <param name="type">The code for its objects.</param>
    public FlatObject(IObjectSlot variable, TypeEntry entry, int index, FlatClass type)
    {
        _entry = entry;
        _type = new NestedType(variable, entry);
        _index = index;
        _class = type;
        _lead = new FlatLead(entry);
    }

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        object? value = Unsafe.As<byte, object?>(ref variable);
        if (room < 1)
        {
            return TooLittle;
        }

        if (value is null)
        {
            start = Tag.Null;
            return 1;
        }

        if (TypeIdentity.Get(value) != _class.Identity)
        {
            return NotFlat;
        }

        int lead = 1;
        if (output.Tags[_index] is not 0 and var known)
        {
            start = known;
        }
        else if ((lead = WriteLead(ref output, ref start, room)) < 0)
        {
            return lead;
        }

        int size = _class.Members.Write(ref output, ref Unsafe.Add(ref start, lead), room - lead, ref Unsafe.As<object, byte>(ref value));
        return size < 0 ? size : lead + size;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        if (room < 1)
        {
            return NotFlat;
        }

        int tag = start;
        if (tag == Tag.Null)
        {
            Unsafe.As<byte, object?>(ref variable) = null;
            return 1;
        }

        int lead = tag == input.Tags[_index] ? 1 : ReadLead(ref input, ref start, room);
        if (lead < 0)
        {
            return NotFlat;
        }

        int size = _class.Read(ref input, ref Unsafe.Add(ref start, lead), room - lead, ref variable);
        return size < 0 ? NotFlat : lead + size;
    }

    private int WriteLead(ref FlatOutput output, ref byte start, int room)
    {
        if (_lead.Size > 0)
        {
            if (_lead.Size > room)
            {
                return TooLittle;
            }

            _lead.Write(ref start);
            return _lead.Size;
        }

        int size = FlatTypes.Define(ref start, room, _entry, output.Known, ref output.NextType, out int tag);
        if (size > 0)
        {
            output.Tags[_index] = (byte)tag;
            return size;
        }

        return size == NotFlat ? NotFlat : TooLittle;
    }

    private int ReadLead(ref FlatInput input, ref byte start, int room)
    {
        if (_lead.Size > 0)
        {
            return _lead.Size <= room && _lead.Begins(ref start) ? _lead.Size : NotFlat;
        }

        int tag = input.Tags[_index];
        int size = FlatTypes.Match(ref start, room, _type, input.Session, ref input.NextType, ref tag);
        input.Tags[_index] = (byte)tag;
        return size;
    }
}
