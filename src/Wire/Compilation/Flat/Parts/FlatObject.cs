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
    private readonly nint _identity;
    private readonly Func<object> _create;
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
        _identity = type.Identity;
        _create = type.Create;
        _lead = new FlatLead(entry);
    }

    /// <summary>Gets the code for the members.</summary>
    public FlatRoot Members => _class.Members;

    /// <summary>Gets their plan.</summary>
    public TypePlan Plan => _class.Plan;

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        object? value = Unsafe.As<byte, object?>(ref variable);
        int lead = Begin(ref output, ref start, room, value);
        if (lead <= 0)
        {
            return lead < 0 ? lead : 1;
        }

        int size = Members.Write(ref output, ref Unsafe.Add(ref start, lead), room - lead, ref Unsafe.As<object, byte>(ref value!));
        return size < 0 ? size : lead + size;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        int lead = Begin(ref input, ref start, room);
        if (lead <= 0)
        {
            return lead < 0 ? NotFlat : Null(ref variable);
        }

        int size = _class.Read(ref input, ref Unsafe.Add(ref start, lead), room - lead, ref variable);
        return size < 0 ? NotFlat : lead + size;
    }

    /// <summary>Writes null, or what announces an object.</summary>
    /// <returns>The number of bytes; 0 for null, which is one byte; negative as that of <see cref="FlatPart.Write"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Begin(ref FlatOutput output, ref byte start, int room, object? value)
    {
        if (room < 1)
        {
            return TooLittle;
        }

        if (value is null)
        {
            start = Tag.Null;
            return 0;
        }

        if (TypeIdentity.Get(value) != _identity)
        {
            return NotFlat;
        }

        byte known = TagIn(ref output.Tags);
        if (known == 0)
        {
            return WriteLead(ref output, ref start, room);
        }

        start = known;
        return 1;
    }

    /// <summary>Reads what announces an object.</summary>
    /// <returns>The number of bytes; 0 for null, which is one byte; negative where it is not flat.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Begin(ref FlatInput input, ref byte start, int room)
    {
        if (room < 1)
        {
            return NotFlat;
        }

        int tag = start;
        return tag == Tag.Null ? 0
            : tag == TagIn(ref input.Tags) ? 1
            : ReadLead(ref input, ref start, room);
    }

    /// <summary>Makes an object, without its members.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public object Make() => _create();

    private static int Null(ref byte variable)
    {
        Unsafe.As<byte, object?>(ref variable) = null;
        return 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref byte TagIn(ref FlatTags tags) => ref Unsafe.Add(ref Unsafe.As<FlatTags, byte>(ref tags), _index);

    [MethodImpl(MethodImplOptions.NoInlining)]
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

        int size = FlatTypes.DefineHere(ref start, room, _entry, output.Known, ref output.NextType, out int tag);
        if (size > 0)
        {
            TagIn(ref output.Tags) = (byte)tag;
            return size;
        }

        return size == NotFlat ? NotFlat : TooLittle;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ReadLead(ref FlatInput input, ref byte start, int room)
    {
        if (_lead.Size > 0)
        {
            return _lead.Size <= room && _lead.Begins(ref start) ? _lead.Size : NotFlat;
        }

        int tag = TagIn(ref input.Tags);
        int size = FlatTypes.Match(ref start, room, _type, input.Session, ref input.NextType, ref tag);
        TagIn(ref input.Tags) = (byte)tag;
        return size;
    }
}
