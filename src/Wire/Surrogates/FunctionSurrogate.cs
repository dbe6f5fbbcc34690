using Wire.Types;

namespace Wire.Surrogates;

/// <summary>A surrogate by two functions.</summary>
/// <param name="to">Makes the stand-in.</param>
/// <param name="from">Makes the value again.</param>
/// <param name="costOf">Estimates what that costs; null where it is no more than the bytes of the stand-in.</param>
internal sealed class FunctionSurrogate<TSource, TSurrogate>(
    Func<TSource, TSurrogate> to, Func<TSurrogate, TSource> from, Func<TSurrogate, ConversionCost>? costOf = null)
    : Surrogate(typeof(TSource), typeof(TSurrogate))
{
    internal override ValueSerializer CreateSerializer(Type type, TypeRegistry registry) =>
        SerializerSource.Library.CreateSurrogate(type, to, from, costOf, registry);
}

/// <summary>A surrogate by two functions that also get the context of the serializer's options.</summary>
internal sealed class ContextSurrogate<TSource, TSurrogate, TContext>(
    Func<TSource, TContext, TSurrogate> to, Func<TSurrogate, TContext, TSource> from)
    : Surrogate(typeof(TSource), typeof(TSurrogate))
    where TContext : notnull
{
    internal override void Validate(SerializerOptions options)
    {
        base.Validate(options);
        if (options.Context is not TContext)
        {
            throw new ArgumentException($"The surrogate of {SourceType} needs a context. {options.ContextFault(typeof(TContext))}");
        }
    }

    internal override ValueSerializer CreateSerializer(Type type, TypeRegistry registry)
    {
        TContext context = registry.Options.ContextAs<TContext>();
        return SerializerSource.Library.CreateSurrogate<TSource, TSurrogate>(
            type, value => to(value, context), standIn => from(standIn, context), costOf: null, registry);
    }
}
