using System.Collections.Concurrent;
using System.Reflection;

namespace Wire.Runtime;

/// <summary>
/// The facts of a type that native code finds through the namespaces around it, or around its attributes, each time it is asked. It unloads
/// no type, so that what was found is kept. Thread-safe: two threads may find the same.
/// </summary>
internal sealed class NativeType
{
    private static readonly ConcurrentDictionary<Type, NativeType> Known = [];

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

    public static NativeType Of(Type type) => Known.GetOrAdd(type, static asked => new NativeType(asked));

    /// <summary>Says that it has no <see cref="GivenName"/>.</summary>
    public void HasOwnName() => _isGivenKnown = true;
}
