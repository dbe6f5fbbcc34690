using Wire.Errors;

namespace Wire.Surrogates;

/// <summary>The check that a value has no more than its surrogate keeps.</summary>
internal static class Exact
{
    /// <summary>Returns a value that is of exactly the type.</summary>
    /// <exception cref="UnsupportedTypeException">It is of a derived class.</exception>
    public static T Require<T>(T value)
        where T : class => value.GetType() == typeof(T)
            ? value
            : throw new UnsupportedTypeException(
                value.GetType(), $"the surrogate of {typeof(T)} would lose what this class adds. Make a surrogate of its own for it.");
}

/// <summary>The making of values from stand-ins that a payload has chosen.</summary>
internal static class Made
{
    /// <summary>Makes a value.</summary>
    /// <exception cref="WireFormatException">The stand-in is not that of a value.</exception>
    public static T Create<T>(Func<T> make)
    {
        try
        {
            return make();
        }
        catch (Exception e) when (ThrowHelper.MayBeOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(T).ToString(), e);
        }
    }
}
