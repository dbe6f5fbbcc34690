using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Surrogates;

/// <summary>Surrogates of stand-ins that implement <see cref="ISurrogate{TSelf, TSource}"/>.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static class SelfMadeSurrogate
{
    /// <summary>Makes the surrogate of two types that are both open or both closed.</summary>
    /// <exception cref="ArgumentException">The stand-in does not implement the interface for the source.</exception>
    public static Surrogate Create(Type source, Type surrogate)
    {
        CheckOpenness(source);
        CheckOpenness(surrogate);
        if (source.IsGenericTypeDefinition != surrogate.IsGenericTypeDefinition)
        {
            throw new ArgumentException($"{source} and {surrogate} have to be both open generic types, or neither.");
        }

        Type? implemented = surrogate.IsInterface ? null : Array.Find(
            surrogate.GetInterfaces(),
            candidate => candidate.IsOf(typeof(ISurrogate<,>))
                && candidate.GetGenericArguments() is [var self, var target] && IsSelf(self, surrogate) && IsInstance(target, source));
        if (implemented is null)
        {
            throw new ArgumentException($"{surrogate} has to be a class or struct that implements {nameof(
                ISurrogate<,>)} with itself and {source} as its type arguments.");
        }

        return source.IsGenericTypeDefinition
            ? new GenericSurrogate(source, surrogate, OrderOf(implemented.GetGenericArguments()[1], surrogate))
            : Close(source, surrogate);
    }

    /// <summary>Makes the surrogate of two closed types.</summary>
    public static Surrogate Close(Type source, Type surrogate)
    {
        try
        {
            return ((IClosed)ClosedTypes.Create(typeof(Closed<,>), [source, surrogate])).Create();
        }
        catch (UnsupportedTypeException e) when (e.IsUnseen)
        {
            throw new UnsupportedTypeException(
                source,
                $"this native program has no code for its stand-in {surrogate}. Add WireRow.Surrogate<{NativeNames.NameOf(source)}, " +
                    $"{NativeNames.NameOf(surrogate)}>() to SerializerOptions.Types.",
                e.InnerException);
        }
    }

    // Native code does not take a definition for the same as its instance over its own parameters.
    private static bool IsSelf(Type self, Type surrogate) => self == surrogate
        || (surrogate.IsGenericTypeDefinition && self.IsOf(surrogate)
            && self.GetGenericArguments().SequenceEqual(surrogate.GetGenericArguments()));

    private static bool IsInstance(Type target, Type source) =>
        target == source || (source.IsGenericTypeDefinition && target.IsOf(source));

    private static void CheckOpenness(Type type)
    {
        if (type.ContainsGenericParameters && !type.IsGenericTypeDefinition)
        {
            throw new ArgumentException($"{type} leaves some of its type arguments open. Give all of them, or none.");
        }
    }

    // The index of the source's argument for each type parameter of the stand-in.
    private static int[] OrderOf(Type target, Type surrogate)
    {
        Type[] arguments = target.GetGenericArguments();
        int[] order = [.. surrogate.GetGenericArguments().Select(parameter => Array.IndexOf(arguments, parameter))];
        return order.Length == arguments.Length && !order.Contains(-1)
            ? order
            : throw new ArgumentException(
                $"{surrogate} stands for {target}, and has to stand for every instance of it: each type argument has to be one type " +
                "parameter of the stand-in.");
    }

    /// <summary>Makes the surrogate of two closed types, without these.</summary>
    internal interface IClosed
    {
        /// <summary>Makes the surrogate.</summary>
        Surrogate Create();
    }

    /// <inheritdoc cref="IClosed"/>
    internal sealed class Closed<TSource, TSurrogate> : IClosed
        where TSurrogate : ISurrogate<TSurrogate, TSource>
    {
        public Surrogate Create() => new FunctionSurrogate<TSource, TSurrogate>(TSurrogate.From, standIn => standIn.ToSource());
    }
}

/// <summary>A surrogate of an open generic type: one for each of its instances.</summary>
/// <param name="source">The open generic type.</param>
/// <param name="surrogate">The open generic stand-in.</param>
/// <param name="order">The index of the source's argument for each type parameter of the stand-in.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class GenericSurrogate(Type source, Type surrogate, int[] order) : Surrogate(source, surrogate)
{
    internal override bool Covers(Type type) => type.DerivesFromDefinition(SourceType);

    internal override Type? StandInOf(Type type)
    {
        if (type.ContainsGenericParameters || InstancesOf(type) is not [var instance])
        {
            return null;
        }

        Type[] arguments = instance.GetGenericArguments();
        try
        {
            return ClosedTypes.Close(SurrogateType, [.. order.Select(index => arguments[index])]);
        }
        catch (ArgumentException)
        {
            // The stand-in's constraints are narrower than those of its source.
            return null;
        }
    }

    internal override ValueSerializer CreateSerializer(Type type, TypeRegistry registry)
    {
        Type[] instances = InstancesOf(type);
        if (instances.Length != 1)
        {
            throw new UnsupportedTypeException(
                type, $"it is {string.Join(
                    " and ", (object[])instances)} at once, so it is not clear which {SurrogateType} to use. Put a surrogate for it " +
                        $"before that of {SourceType}.");
        }

        Type standIn = StandInOf(type)
            ?? throw new UnsupportedTypeException(
                type, $"the type arguments of {instances[0]} do not satisfy the constraints of its stand-in {SurrogateType}.");
        return registry.Options.SurrogateOf(standIn) is { } other
            ? throw new UnsupportedTypeException(type, $"{standIn} stands for it, {ReplacedBy(other)}")
            : SelfMadeSurrogate.Close(instances[0], standIn).CreateSerializer(type, registry);
    }

    // A type has at most one base class of a generic definition, but may implement several of its interfaces.
    private Type[] InstancesOf(Type type)
    {
        IEnumerable<Type> bases = SourceType.IsInterface ? [type, .. type.GetInterfaces()] : type.WithBases();
        return [.. bases.Where(candidate => candidate.IsOf(SourceType))];
    }
}
