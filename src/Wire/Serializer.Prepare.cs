using Wire.Plans;

namespace Wire;

public sealed partial class Serializer
{
    /// <summary>
    /// Compiles the code for messages of a type beforehand, so that the first of them, plain or typed, written or read, compiles nothing
    /// and uses what all later ones use. Without this, the first message of a type goes by reflection and the second one compiles.
    /// </summary>
    /// <remarks>
    /// <para>The types of its members are prepared with it, as far as the declared types tell them: what is assigned to a member of an
    /// interface or of <see cref="object"/> is prepared by a call of its own. No code of these types runs; the factories and surrogates of
    /// <see cref="SerializerOptions"/> are asked as by a message. What a <see cref="SerializerSession"/> compiles for later messages of a
    /// type, and what is compiled for a root of a value type, is left to these messages.</para>
    /// <para>It takes several milliseconds of processor time for a type, more than one message of each kind does without, and some tens of
    /// them for the first type of the program; what is prepared already is not compiled again. Thread-safe: any number of calls, and
    /// messages of the same types, may run at the same time.</para>
    /// </remarks>
    /// <typeparam name="T">The type of the messages: what <c>GetType()</c> says of their roots.</typeparam>
    /// <exception cref="UnsupportedTypeException">
    /// The type cannot be serialized, or the program gives one name to two types that its messages may have.
    /// </exception>
    public void Prepare<T>() => new Preparation(Registry).Add(typeof(T));

    /// <inheritdoc cref="Prepare{T}()"/>
    /// <param name="types">The types of the messages.</param>
    /// <exception cref="ArgumentException">One of the types is null. None has been prepared.</exception>
    /// <exception cref="UnsupportedTypeException">A type cannot be serialized. Those in front of it have been prepared.</exception>
    /// <example>
    /// <code>
    /// serializer.Prepare(typeof(OrderPlaced), typeof(OrderShipped)); // at the start, so that first messages are as fast as later ones
    /// </code>
    /// </example>
    public void Prepare(params ReadOnlySpan<Type> types)
    {
        Check(types);
        var preparation = new Preparation(Registry);
        foreach (Type type in types)
        {
            preparation.Add(type);
        }
    }

    /// <summary>
    /// Does what <see cref="Prepare{T}()"/> does for several types, one after the other on a thread of the pool, while the program goes on.
    /// Messages may be written and read meanwhile: those of a type that is not prepared yet are as without this call.
    /// </summary>
    /// <inheritdoc cref="Prepare{T}()" path="/remarks"/>
    /// <param name="types">The types of the messages. They are enumerated before the method returns.</param>
    /// <param name="cancellationToken">Ends the work before the next type; what has been prepared remains.</param>
    /// <returns>
    /// A task that ends when all are prepared; with an <see cref="UnsupportedTypeException"/> at the first type that cannot be serialized.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="types"/> is null.</exception>
    /// <exception cref="ArgumentException">One of the types is null.</exception>
    public Task PrepareAsync(IEnumerable<Type> types, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(types);
        Type[] all = [.. types];
        Check(all);
        return Task.Run(
            () =>
            {
                var preparation = new Preparation(Registry);
                foreach (Type type in all)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    preparation.Add(type);
                }
            },
            cancellationToken);
    }

    private static void Check(ReadOnlySpan<Type> types)
    {
        if (types.IndexOf((Type)null!) is >= 0 and var index)
        {
            throw new ArgumentException($"The type to prepare at index {index} is null. Leave it out.", nameof(types));
        }
    }
}
