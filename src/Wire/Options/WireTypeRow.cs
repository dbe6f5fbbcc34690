using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Wire.Runtime;

namespace Wire;

/// <summary>A row of <see cref="WireTypes"/>: a type of which a trimmed or native program keeps what Wire needs. Immutable.</summary>
public sealed class WireTypeRow
{
    private readonly Func<object>? _create;
    private bool _isChecked;

    internal WireTypeRow(Type type, Func<object>? create = null, object? code = null)
    {
        Type = type;
        _create = create;
        Code = code;
    }

    /// <summary>The type.</summary>
    public Type Type { get; }

    /// <summary>Gets the generated code for the members of the type, which a row knows nothing of; null where none was generated.</summary>
    internal object? Code { get; }

    /// <summary>
    /// Returns the function that makes an object of the class, all of whose fields are zero; null if the program gives none, or the runtime
    /// does not show what it makes.
    /// </summary>
    /// <exception cref="UnsupportedTypeException">It makes other objects.</exception>
    internal Func<object>? Creation()
    {
        if (_create is null || InstanceSize.OfFields(Type) is not (> 0 and var size))
        {
            return null;
        }

        if (!_isChecked)
        {
            Check(_create, size);
            _isChecked = true;
        }

        return _create;
    }

    /// <summary>Returns the row with what it lacks and another one of the type has.</summary>
    internal WireTypeRow And(WireTypeRow other) =>
        (_create ?? other._create) == _create && (Code ?? other.Code) == Code ? this
        : _create is null && Code is null ? other
        : new(Type, _create ?? other._create, Code ?? other.Code);

    /// <summary>Returns the row with code for the members of the type.</summary>
    internal WireTypeRow With(object code) => new(Type, _create, code);

    /// <inheritdoc/>
    public override string ToString() => Type.ToString();

    // They must be as those that are made without a constructor. Of a class that counts its objects, the first may have a zero.
    [SuppressMessage("Usage", "CA1816", Justification = "Nobody else sees the objects, and their finalizers have nothing to do.")]
    private void Check(Func<object> create, int size)
    {
        object? one = create(), other = create();
        if (one?.GetType() != Type || other?.GetType() != Type || ReferenceEquals(one, other))
        {
            throw new UnsupportedTypeException(
                Type, "its row in SerializerOptions.Types must make a new object of this class each time: give it () => new ...().");
        }

        GC.SuppressFinalize(one);
        GC.SuppressFinalize(other);
        if (IsSet(one, size) || IsSet(other, size))
        {
            throw new UnsupportedTypeException(
                Type,
                "its row in SerializerOptions.Types makes objects with fields that are set, by a constructor or an initializer. Give " +
                "WireRow.Class no function for it.");
        }
    }

    private static bool IsSet(object made, int size) =>
        MemoryMarshal.CreateReadOnlySpan(ref ObjectMemory.FieldsOf(made), size).ContainsAnyExcept((byte)0);
}
