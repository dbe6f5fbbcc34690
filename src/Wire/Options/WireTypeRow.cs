using Wire.Compilation;
using Wire.Runtime;

namespace Wire;

/// <summary>A row of <see cref="WireTypes"/>: a type of which a trimmed or native program keeps what Wire needs. Immutable.</summary>
public sealed class WireTypeRow
{
    private readonly Func<object>? _create;
    private bool _isChecked;

    internal WireTypeRow(Type type, Func<object>? create = null)
    {
        Type = type;
        _create = create;
    }

    /// <summary>The type.</summary>
    public Type Type { get; }

    /// <summary>Gets whether a function makes the objects of the class.</summary>
    internal bool HasCreation => _create is not null;

    /// <summary>
    /// Returns the function that makes an object of the class, all of whose fields are zero; null if the program gives none, or the runtime
    /// does not show what it makes.
    /// </summary>
    /// <exception cref="UnsupportedTypeException">It makes other objects.</exception>
    internal Func<object>? Creation()
    {
        if (_create is null || InstanceSize.OfFields(Type) == 0)
        {
            return null;
        }

        if (!_isChecked)
        {
            ObjectFactory.Check(Type, _create);
            _isChecked = true;
        }

        return _create;
    }

    /// <inheritdoc/>
    public override string ToString() => Type.ToString();
}
