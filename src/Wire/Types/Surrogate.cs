namespace Wire;

/// <summary>A stand-in type that is written instead of another one, wherever that one sits in the graph. Immutable.</summary>
public abstract class Surrogate
{
    private protected Surrogate(Type sourceType, Type surrogateType)
    {
        SourceType = sourceType;
        SurrogateType = surrogateType;
    }

    /// <summary>The type that is replaced, together with everything that derives from it or implements it.</summary>
    public Type SourceType { get; }

    /// <summary>The type that is written instead.</summary>
    public Type SurrogateType { get; }

    /// <summary>Makes a surrogate.</summary>
    /// <typeparam name="TSource">The type to replace: a class, a value type, an interface or a base class.</typeparam>
    /// <typeparam name="TSurrogate">The type to write instead; any type that can be serialized.</typeparam>
    /// <param name="toSurrogate">Makes the stand-in. Called on any thread; what it throws comes out of the serializer as it is.</param>
    /// <param name="fromSurrogate">Makes the value again. Called on any thread, with values from untrusted bytes.</param>
    /// <exception cref="ArgumentNullException">A function is null.</exception>
    /// <exception cref="ArgumentException">The surrogate would stand for itself.</exception>
    public static Surrogate Create<TSource, TSurrogate>(Func<TSource, TSurrogate> toSurrogate, Func<TSurrogate, TSource> fromSurrogate)
    {
        ArgumentNullException.ThrowIfNull(toSurrogate);
        ArgumentNullException.ThrowIfNull(fromSurrogate);
        if (typeof(TSource).IsAssignableFrom(typeof(TSurrogate)))
        {
            throw new ArgumentException($"{typeof(TSurrogate)} is a {typeof(TSource)} itself, and would be replaced again without end.");
        }

        return new Typed<TSource, TSurrogate>(toSurrogate, fromSurrogate);
    }

    /// <summary>Makes the value serializer that reads and writes the stand-in.</summary>
    internal abstract ValueSerializer CreateSerializer(TypeRegistry registry);

    private sealed class Typed<TSource, TSurrogate>(Func<TSource, TSurrogate> to, Func<TSurrogate, TSource> from)
        : Surrogate(typeof(TSource), typeof(TSurrogate))
    {
        internal override ValueSerializer CreateSerializer(TypeRegistry registry) =>
            new SurrogateSerializer<TSource, TSurrogate>(to, from, registry.Slot<TSurrogate>());
    }
}
