using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation;
using Wire.Format;
using Wire.Types;

namespace Wire.Flat;

/// <summary>
/// The bytes in front of an object in a flat one, of exactly the type that its variable declares: a constant, or a definition the first
/// time and the type's identifier afterwards.
/// </summary>
internal class FlatLead
{
    private const int GiveUp = -1;

    private readonly TypeRegistry _registry;
    private readonly TypeEntry _entry;
    private readonly byte[] _lead;
    private bool _isJudged;

    /// <param name="registry">The registry that owns the entry.</param>
    /// <param name="entry">The type's entry.</param>
    public FlatLead(TypeRegistry registry, TypeEntry entry)
    {
        _registry = registry;
        _entry = entry;
        DefinesType = entry.Prefix is null && entry.HasOwnManifest;
        _lead = entry.Prefix ?? (!DefinesType ? [Tag.Declared] : entry.IsClosed ? entry.SealedManifest : entry.NamedManifest);
    }

    /// <summary>Says whether the type takes an identifier.</summary>
    public bool DefinesType { get; }

    /// <summary>Gets the number of bytes in front of the first value.</summary>
    public int LeadBytes => _lead.Length;

    /// <summary>Writes what says the type; negative when it gives up.</summary>
    public int WriteLead(ref byte destination, int room, ref FlatTypes types)
    {
        if (room < 1)
        {
            return GiveUp;
        }

        if (DefinesType)
        {
            int tag = types.TagOf(_entry);
            if (tag != FlatTypes.IsNew)
            {
                destination = (byte)tag;
                return tag < 0 ? GiveUp : 1;
            }
        }

        if (room < _lead.Length)
        {
            return GiveUp;
        }

        _lead.CopyTo(MemoryMarshal.CreateSpan(ref destination, room));
        return _lead.Length;
    }

    /// <summary>Reads what says the type; negative when it is said in another way, or may be another type.</summary>
    /// <exception cref="TypeRefusedException">The filter refuses the type.</exception>
    public int ReadLead(ref byte source, int available, ref FlatTypes types)
    {
        if (source >= Tag.FirstShortIdentifier)
        {
            return types.Is(source, _entry) ? 1 : GiveUp;
        }

        int size = _lead.Length;
        if (available < size
            || !MemoryMarshal.CreateReadOnlySpan(ref source, size).SequenceEqual(_lead)
            || (DefinesType && !types.TryDefine(_entry)))
        {
            return GiveUp;
        }

        if (!_isJudged)
        {
            _registry.Resolver.Judge(_entry.Type);
            _isJudged = true;
        }

        return size;
    }
}

/// <summary>An object in a flat one: the bytes that say its type, and its content.</summary>
internal sealed class FlatPart<T>(TypeRegistry registry, TypeEntry entry, ValueSerializer<T> content) : FlatLead(registry, entry)
{
    /// <summary>The value serializer of the content.</summary>
    public ValueSerializer<T> Content => content;

    /// <summary>Gets the least number of bytes of an object whose type is known.</summary>
    public int UsualSize => 1 + content.ElementSize;

    /// <inheritdoc cref="ValueSerializer{T}.WriteFlat"/>
    public int Write(ref byte destination, int room, T value, ref FlatTypes types)
    {
        int front = WriteLead(ref destination, room, ref types);
        if (front < 0)
        {
            return front;
        }

        int size = content.WriteFlat(ref Unsafe.Add(ref destination, front), room - front, value, ref types);
        return size < 0 ? size : front + size;
    }

    /// <inheritdoc cref="ValueSerializer{T}.ReadFlat"/>
    /// <exception cref="TypeRefusedException">The filter refuses the type.</exception>
    public int Read(ref byte source, int available, out T? value, ref FlatTypes types)
    {
        int front = ReadLead(ref source, available, ref types);
        if (front < 0)
        {
            value = default;
            return front;
        }

        int size = content.ReadFlat(ref Unsafe.Add(ref source, front), available - front, out value, ref types);
        return size < 0 ? size : front + size;
    }
}

/// <summary>A variable of a reference type, whose objects can be compiled into the code of the enclosing type.</summary>
internal interface IFlatVariable
{
    /// <summary>The bytes in front of an object; null before the bounds of the variable have been found.</summary>
    FlatLead? Lead { get; }

    /// <summary>The members of an object; null when it has none of its own.</summary>
    TypePlan? Plan { get; }
}
