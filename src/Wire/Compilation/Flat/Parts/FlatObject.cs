using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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

    // What announces each object; null where the type takes an identifier.
    private readonly byte[]? _lead;

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
        _lead = LeadOf(entry);
    }

    /// <summary>Returns the bytes that announce each object; null where the type takes an identifier.</summary>
    public static byte[]? LeadOf(TypeEntry entry) => entry.Prefix ?? (entry.HasOwnManifest ? null : [Tag.Declared]);

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

        object value = _class.Create();
        int size = _class.Members.Read(ref input, ref Unsafe.Add(ref start, lead), room - lead, ref Unsafe.As<object, byte>(ref value));
        if (size < 0)
        {
            return NotFlat;
        }

        Unsafe.As<byte, object>(ref variable) = value;
        return lead + size;
    }

    private int WriteLead(ref FlatOutput output, ref byte start, int room)
    {
        if (_lead is { } lead)
        {
            if (lead.Length > room)
            {
                return TooLittle;
            }

            lead.CopyTo(MemoryMarshal.CreateSpan(ref start, lead.Length));
            return lead.Length;
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
        if (_lead is { } lead)
        {
            return lead.Length <= room && MemoryMarshal.CreateReadOnlySpan(ref start, lead.Length).SequenceEqual(lead)
                ? lead.Length
                : NotFlat;
        }

        int tag = input.Tags[_index];
        int size = FlatTypes.Match(ref start, room, _type, input.Session, ref input.NextType, ref tag);
        input.Tags[_index] = (byte)tag;
        return size;
    }
}
