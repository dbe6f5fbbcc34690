using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Runtime;
using Wire.Surrogates;
using Wire.Types;

namespace Wire;

/// <summary>A type that is written in place of another one anywhere in the graph. Immutable.</summary>
public abstract class Surrogate
{
    private protected Surrogate(Type sourceType, Type surrogateType)
    {
        SourceType = sourceType;
        SurrogateType = surrogateType;
    }

    /// <summary>
    /// The replaced type, including all types that derive from it or implement it. May be an open generic type.
    /// </summary>
    public Type SourceType { get; }

    /// <summary>The type that is written instead.</summary>
    public Type SurrogateType { get; }

    /// <summary>Makes a surrogate.</summary>
    /// <typeparam name="TSource">The type to replace: a class, a value type, an interface or a base class.</typeparam>
    /// <typeparam name="TSurrogate">The type to write instead; any type that can be serialized.</typeparam>
    /// <param name="toSurrogate">
    /// Makes the stand-in, which must not be null. Called on any thread, never with null; its exceptions reach the caller unchanged.
    /// </param>
    /// <param name="fromSurrogate">
    /// Makes the value again. Called on any thread, with stand-ins from untrusted bytes, but never with null.
    /// </param>
    /// <exception cref="ArgumentNullException">A function is null.</exception>
    /// <exception cref="ArgumentException">
    /// The surrogate would stand for itself, or the source is a type that no surrogate can replace.
    /// </exception>
    /// <example>
    /// <code>
    /// Surrogate folders = Surrogate.Create&lt;DirectoryInfo, string>(folder => folder.FullName, path => new DirectoryInfo(path));
    /// var serializer = new Serializer(new SerializerOptions { Surrogates = [folders] });
    /// </code>
    /// </example>
    public static Surrogate Create<TSource, TSurrogate>(Func<TSource, TSurrogate> toSurrogate, Func<TSurrogate, TSource> fromSurrogate)
    {
        ArgumentNullException.ThrowIfNull(toSurrogate);
        ArgumentNullException.ThrowIfNull(fromSurrogate);
        CheckPair(typeof(TSource), typeof(TSurrogate));
        KeepForNativeCode<TSurrogate>();
        return new FunctionSurrogate<TSource, TSurrogate>(toSurrogate, fromSurrogate);
    }

    /// <summary>Makes a surrogate whose functions also get the <see cref="SerializerOptions.Context"/>.</summary>
    /// <typeparam name="TSource">The type to replace: a class, a value type, an interface or a base class.</typeparam>
    /// <typeparam name="TSurrogate">The type to write instead; any type that can be serialized.</typeparam>
    /// <typeparam name="TContext">What the context has to be; a serializer without such a context cannot be made.</typeparam>
    /// <inheritdoc cref="Create{TSource, TSurrogate}(Func{TSource, TSurrogate}, Func{TSurrogate, TSource})"/>
    public static Surrogate Create<TSource, TSurrogate, TContext>(
        Func<TSource, TContext, TSurrogate> toSurrogate, Func<TSurrogate, TContext, TSource> fromSurrogate)
        where TContext : notnull
    {
        ArgumentNullException.ThrowIfNull(toSurrogate);
        ArgumentNullException.ThrowIfNull(fromSurrogate);
        CheckPair(typeof(TSource), typeof(TSurrogate));
        KeepForNativeCode<TSurrogate>();
        return new ContextSurrogate<TSource, TSurrogate, TContext>(toSurrogate, fromSurrogate);
    }

    /// <summary>Makes a surrogate of a stand-in that implements <see cref="ISurrogate{TSelf, TSource}"/>.</summary>
    /// <param name="sourceType">
    /// The type to replace. An open generic type stands for everything that is or derives from an instance of it.
    /// </param>
    /// <param name="surrogateType">
    /// The type to write instead; of an open source, an open generic type with the same type parameters.
    /// </param>
    /// <exception cref="ArgumentNullException">A type is null.</exception>
    /// <exception cref="ArgumentException">
    /// The stand-in does not implement the interface for the source, would stand for itself, or the source is a type that no surrogate can
    /// replace.
    /// </exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static Surrogate Create(Type sourceType, Type surrogateType)
    {
        ArgumentNullException.ThrowIfNull(sourceType);
        ArgumentNullException.ThrowIfNull(surrogateType);
        CheckPair(sourceType, surrogateType);
        return SelfMadeSurrogate.Create(sourceType, surrogateType);
    }

    /// <summary>The type and its stand-in: for logs.</summary>
    public override string ToString() => $"{SourceType} as {SurrogateType}";

    /// <summary>Returns whether values of a type are replaced.</summary>
    internal virtual bool Covers(Type type) => SourceType.IsAssignableFrom(type);

    /// <summary>The type that is written instead of a type that is covered; null when none can be.</summary>
    internal virtual Type? StandInOf(Type type) => SurrogateType;

    /// <summary>Checks the surrogate against the options that have it.</summary>
    /// <exception cref="ArgumentException">The stand-in is itself replaced, or the context that it needs is missing.</exception>
    internal virtual void Validate(SerializerOptions options)
    {
        if (options.SurrogateOf(Nullable.GetUnderlyingType(SurrogateType) ?? SurrogateType) is { } other)
        {
            throw new ArgumentException($"{SurrogateType} stands for {SourceType}, {ReplacedBy(other)}");
        }
    }

    /// <summary>Makes the message about a stand-in that another surrogate covers.</summary>
    internal static string ReplacedBy(Surrogate other) =>
        $"and SerializerOptions.Surrogates has a surrogate for it too, that of {other.SourceType}. A stand-in is not replaced again: " +
        "convert directly to the second one, or register a narrower source type.";

    /// <summary>Makes the value serializer that reads and writes the stand-ins of a type that is covered.</summary>
    /// <exception cref="UnsupportedTypeException">The type has no stand-in.</exception>
    internal abstract ValueSerializer CreateSerializer(Type type, TypeRegistry registry);

    private static void KeepForNativeCode<TSurrogate>()
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            SerializerSource.Library.KeepStandIn<TSurrogate>();
        }
    }

    private static void CheckPair(Type source, Type surrogate)
    {
        if (TagTypes.Contains(source))
        {
            throw new ArgumentException($"{source} is a built-in type, whose values are always written as they are.");
        }

        if (Nullable.GetUnderlyingType(source) is { } underlying)
        {
            throw new ArgumentException($"Make the surrogate of {underlying} instead of {source}: a null is written as null.");
        }

        if (source.IsAssignableFrom(surrogate) || surrogate.DerivesFromDefinition(source))
        {
            throw new ArgumentException(
                $"A surrogate for {source} that is a {surrogate} would be replaced again for ever. Write {source} as another type, " +
                "which the surrogate does not cover.");
        }
    }
}

/// <summary>A stand-in that converts itself, which also works for open generic types: <see cref="Surrogate.Create(Type, Type)"/>.</summary>
/// <typeparam name="TSelf">The stand-in: the type that implements the interface.</typeparam>
/// <typeparam name="TSource">The type that is replaced.</typeparam>
public interface ISurrogate<TSelf, TSource>
    where TSelf : ISurrogate<TSelf, TSource>
{
    /// <summary>
    /// Makes the stand-in of a value. Called on any thread, never with null; its exceptions reach the caller unchanged.
    /// </summary>
    static abstract TSelf From(TSource value);

    /// <summary>Makes the value again. Called on any thread, on stand-ins from untrusted bytes.</summary>
    TSource ToSource();
}
