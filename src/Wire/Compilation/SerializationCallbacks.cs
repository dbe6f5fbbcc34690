using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>
/// The methods of a type that are called around its serialization, those of base classes first. A plan has them only when an option allows
/// them, so code without callbacks pays nothing.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class SerializationCallbacks
{
    private SerializationCallbacks(Type type)
    {
        Serializing = Find<OnSerializingAttribute>(type);
        Serialized = Find<OnSerializedAttribute>(type);
        Deserializing = Find<OnDeserializingAttribute>(type);
        Deserialized = Find<OnDeserializedAttribute>(type);
        IsAfterGraph = typeof(IDeserializationCallback).IsAssignableFrom(type);
    }

    /// <summary>Gets the context that the methods are given.</summary>
    public static StreamingContext Context => default;

    public MethodInfo[] Serializing { get; }

    public MethodInfo[] Serialized { get; }

    public MethodInfo[] Deserializing { get; }

    public MethodInfo[] Deserialized { get; }

    /// <summary>Gets whether its objects get a callback after the whole graph has been read.</summary>
    public bool IsAfterGraph { get; }

    /// <summary>Gets the callbacks of a type; null when it has none, or the options do not allow them.</summary>
    /// <exception cref="UnsupportedTypeException">A method has the wrong parameters.</exception>
    public static SerializationCallbacks? Find(Type type, SerializerOptions options)
    {
        if (!options.UseSerializationCallbacks || FrameworkAssemblies.Contains(type.Assembly))
        {
            return null;
        }

        var callbacks = new SerializationCallbacks(type);
        return callbacks.IsAfterGraph || callbacks.Serializing.Length +
            callbacks.Serialized.Length +
            callbacks.Deserializing.Length +
            callbacks.Deserialized.Length > 0
            ? callbacks
            : null;
    }

    /// <summary>Calls methods on an object, or on a value type in its box.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Call(MethodInfo[]? methods, object target)
    {
        if (methods is not null)
        {
            CallAll(methods, target);
        }
    }

    private static void CallAll(MethodInfo[] methods, object target)
    {
        foreach (MethodInfo method in methods)
        {
            method.Invoke(target, BindingFlags.DoNotWrapExceptions, binder: null, [Context], culture: null);
        }
    }

    /// <summary>Registers an object for a callback after the whole graph has been read.</summary>
    public static void CallAfterGraph(ref WireReader reader, IDeserializationCallback target) => reader.Session.CallAfterGraph(target);

    private static MethodInfo[] Find<TAttribute>(Type type)
        where TAttribute : Attribute
    {
        var methods = new List<MethodInfo>();
        foreach (Type current in type.WithBases().Where(current => !FrameworkAssemblies.Contains(current.Assembly)))
        {
            foreach (MethodInfo method in current.GetMethods(MemberFinder.DeclaredInstance | BindingFlags.Static).Where(
                m => m.IsDefined(typeof(TAttribute), inherit: false)))
            {
                if (method.IsStatic || method.ContainsGenericParameters || method.ReturnType != typeof(void)
                    || method.GetParameters() is not [{ ParameterType: var parameter }] || parameter != typeof(StreamingContext))
                {
                    throw new UnsupportedTypeException(
                        type, $"its method {current.Name}.{method.Name} has [{typeof(TAttribute).Name[..^"Attribute".Length]}] and must " +
                            "be an instance method that takes a StreamingContext and returns nothing.");
                }

                // An override replaces the base method: calling either runs it.
                if (!methods.Exists(m => m.GetBaseDefinition() == method.GetBaseDefinition()))
                {
                    methods.Add(method);
                }
            }
        }

        methods.Reverse();
        return [.. methods];
    }
}
