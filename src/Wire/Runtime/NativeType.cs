using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// The facts of a type that native code finds through the namespaces around it, or around its attributes, each time it is asked: they are
/// kept as long as the type, which a program that is not published yet may unload. Thread-safe: two threads may find the same.
/// </summary>
internal sealed class NativeType
{
    private static readonly ConditionalWeakTable<Type, NativeType> Known = [];

    private readonly Type _type;
    private volatile bool _isGivenKnown;
    private WireNameAttribute? _given;

    private NativeType(Type type) => _type = type;

    public Assembly Home => field ??= _type.Assembly;

    public string? FullName => field ??= _type.FullName;

    public WireNameAttribute? GivenName
    {
        get
        {
            if (!_isGivenKnown)
            {
                _given = _type.GetCustomAttribute<WireNameAttribute>(inherit: false);
                _isGivenKnown = true;
            }

            return _given;
        }
    }

    public static NativeType Of(Type type) => Known.GetValue(type, static asked => new NativeType(asked));

    /// <summary>Takes from a context that it has no <see cref="GivenName"/>.</summary>
    public void TellNoGivenName() => _isGivenKnown = true;
}
