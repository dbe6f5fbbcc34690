namespace Wire;

/// <summary>
/// A type that stands for another one and says itself how, which also lets an open generic type stand for an open generic
/// type: <see cref="Surrogate.Create(Type, Type)"/>.
/// </summary>
/// <typeparam name="TSelf">The stand-in: the type that implements the interface.</typeparam>
/// <typeparam name="TSource">The type that is replaced.</typeparam>
public interface ISurrogate<TSelf, TSource>
    where TSelf : ISurrogate<TSelf, TSource>
{
    /// <summary>Makes the stand-in of a value. Called on any thread, never with null; what it throws comes out of the serializer as it is.</summary>
    static abstract TSelf From(TSource value);

    /// <summary>Makes the value again. Called on any thread, on stand-ins from untrusted bytes.</summary>
    TSource ToSource();
}
