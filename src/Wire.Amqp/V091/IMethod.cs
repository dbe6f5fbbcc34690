namespace Wire.Amqp.V091;

/// <summary>
/// A method of AMQP 0-9-1, with its arguments as fields. Each is described once, by <see cref="Arguments"/>; its size, its bytes and its
/// reading follow from that.
/// </summary>
/// <typeparam name="TSelf">The method itself.</typeparam>
public interface IMethod<TSelf>
    where TSelf : struct, IMethod<TSelf>
{
    /// <summary>Which method it is.</summary>
    static abstract MethodId Id { get; }

    /// <summary>Goes through the arguments in the order in which they are written. A method without arguments leaves it out.</summary>
    /// <param name="method">The method, whose arguments are handed over by reference.</param>
    /// <param name="arguments">What is done with them.</param>
    static virtual void Arguments<TArguments>(ref TSelf method, ref TArguments arguments)
        where TArguments : struct, IArguments, allows ref struct
    {
    }
}
