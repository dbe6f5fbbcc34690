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
    /// <param name="toSurrogate">Makes the stand-in. Called on any thread, never with null; what it throws comes out of the serializer as it is.</param>
    /// <param name="fromSurrogate">Makes the value again. Called on any thread, with values from untrusted bytes.</param>
    /// <exception cref="ArgumentNullException">A function is null.</exception>
    /// <exception cref="ArgumentException">The surrogate would stand for itself.</exception>
    public static Surrogate Create<TSource, TSurrogate>(Func<TSource, TSurrogate> toSurrogate, Func<TSurrogate, TSource> fromSurrogate)
    {
        ArgumentNullException.ThrowIfNull(toSurrogate);
        ArgumentNullException.ThrowIfNull(fromSurrogate);
        CheckPair(typeof(TSource), typeof(TSurrogate));
        return new FunctionSurrogate<TSource, TSurrogate>(toSurrogate, fromSurrogate);
    }

    /// <summary>Makes a surrogate whose functions also get the <see cref="SerializerOptions.Context"/>.</summary>
    /// <typeparam name="TSource">The type to replace: a class, a value type, an interface or a base class.</typeparam>
    /// <typeparam name="TSurrogate">The type to write instead; any type that can be serialized.</typeparam>
    /// <typeparam name="TContext">What the context has to be; a serializer without such a context cannot be made.</typeparam>
    /// <param name="toSurrogate">Makes the stand-in. Called on any thread, never with null; what it throws comes out of the serializer as it is.</param>
    /// <param name="fromSurrogate">Makes the value again. Called on any thread, with values from untrusted bytes.</param>
    /// <exception cref="ArgumentNullException">A function is null.</exception>
    /// <exception cref="ArgumentException">The surrogate would stand for itself.</exception>
    public static Surrogate Create<TSource, TSurrogate, TContext>(Func<TSource, TContext, TSurrogate> toSurrogate, Func<TSurrogate, TContext, TSource> fromSurrogate)
        where TContext : notnull
    {
        ArgumentNullException.ThrowIfNull(toSurrogate);
        ArgumentNullException.ThrowIfNull(fromSurrogate);
        CheckPair(typeof(TSource), typeof(TSurrogate));
        return new ContextSurrogate<TSource, TSurrogate, TContext>(toSurrogate, fromSurrogate);
    }

    /// <summary>Whether values of a type are replaced.</summary>
    internal virtual bool Covers(Type type) => SourceType.IsAssignableFrom(type);

    /// <summary>Checks what the surrogate needs of the options.</summary>
    /// <exception cref="ArgumentException">It is not there.</exception>
    internal virtual void Validate(SerializerOptions options)
    {
    }

    /// <summary>Makes the value serializer that reads and writes the stand-in.</summary>
    internal abstract ValueSerializer CreateSerializer(TypeRegistry registry);

    private static void CheckPair(Type source, Type surrogate)
    {
        if (source.IsAssignableFrom(surrogate))
        {
            throw new ArgumentException($"{surrogate} is a {source} itself, and would be replaced again without end.");
        }
    }
}
