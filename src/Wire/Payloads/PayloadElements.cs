using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Wire.AsyncSequences;
using Wire.Framing;
using Wire.Incremental;

namespace Wire;

/// <summary>Reads the elements of one collection or async sequence of a payload as they come. Thread-safe.</summary>
public static class PayloadElements
{
    /// <summary>
    /// Reads the elements at a path, one by one as their bytes come, so that memory is needed for one and not for all: those of an <see
    /// cref="IAsyncEnumerable{T}"/> that <see cref="Serializer.SerializeAsync{T}(T, PipeWriter, CancellationToken)"/> has written, or in a
    /// payload without such sequences those of any collection: a list, an array, a set, and the pairs of a dictionary.
    /// </summary>
    /// <remarks>
    /// <para>Limits are those of one message, for each element. Of the number of elements of an async sequence, and of their bytes
    /// together, there is none. A collection has at most <see cref="Limits.MaxElements"/>, and with what stands before it takes at most
    /// <see cref="Limits.MaxBytes"/>. What stands before the elements, and each of them, may take
    /// <see cref="Limits.MaxFrameBytes"/>.</para>
    /// <para>What stands before the elements of a collection is gone through again each time that bytes come, until the first element is
    /// found: a larger buffer of the pipe makes that faster. What stands behind the elements at a path is not read, and may be cut. Only
    /// without a path are the async sequences behind them passed over.</para>
    /// <para>A collection in a payload with references (<see cref="SerializerOptions.PreserveObjectReferences"/>) is refused, because its
    /// elements may refer to what has been passed over; the elements of async sequences have references of their own, and are read. What
    /// code of the program compares in a set or dictionary is not asked: elements come as the payload has them.</para>
    /// </remarks>
    /// <typeparam name="T">
    /// The type of the elements of a sequence, as its writer declared it, or a base class or interface of that; of a collection, what
    /// <c>Serializer.Read</c> takes for a value.
    /// </typeparam>
    /// <param name="serializer">The serializer.</param>
    /// <param name="reader">The pipe, at the beginning of the payload; it is not completed.</param>
    /// <param name="path">
    /// The path, as <c>Serializer.Read</c> has it: <c>Lines</c>, <c>Days[2].Orders</c>. Null or empty is the root.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for an element.</param>
    /// <exception cref="FormatException">The path is none.</exception>
    /// <exception cref="KeyNotFoundException">There is nothing at the path.</exception>
    /// <exception cref="WireFormatException">
    /// The payload is damaged or ends too early, after the elements that are whole; it exceeds a limit, or has no elements there.
    /// </exception>
    /// <exception cref="TypeRefusedException">An element names a type that is not allowed.</exception>
    /// <exception cref="OperationCanceledException">The token, or the pipe's pending read, was cancelled.</exception>
    /// <example>
    /// <code>
    /// await foreach (OrderPlaced? placed in serializer.DeserializeElementsAsync&lt;OrderPlaced>(PipeReader.Create(stream), "Orders"))
    /// {
    ///     Console.WriteLine(placed);
    /// }
    /// </code>
    /// </example>
    public static IAsyncEnumerable<T?> DeserializeElementsAsync<T>(
        this Serializer serializer, PipeReader reader, string? path = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAsync<T>(serializer, reader, path ?? "", cancellationToken);
    }

    private static async IAsyncEnumerable<T?> ReadAsync<T>(
        Serializer serializer, PipeReader reader, string path, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        uint count = await PayloadPipe.ReadCountAsync(reader, cancellationToken).ConfigureAwait(false);
        IAsyncEnumerable<T?> elements = count == 0
            ? ReadCollectionAsync<T>(reader, new ElementReading<T>(serializer, path), cancellationToken)
            : await serializer.ReadInFrontAsync<IAsyncEnumerable<T?>>(reader, count, path, cancellationToken).ConfigureAwait(false)
                ?? throw new WireFormatException(WireFormatError.TypeMismatch, "The value has no elements: it is null.");
        await foreach (T? element in elements.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            yield return element;
        }
    }

    private static async IAsyncEnumerable<T?> ReadCollectionAsync<T>(
        PipeReader reader, ElementReading<T> reading, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (!reading.IsDone)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> rest = result.Buffer;
            bool needsMore = false;
            try
            {
                PipeFrames.ThrowIfCanceled(result);
                while (reading.TryRead(ref rest, result.IsCompleted, out T? element))
                {
                    yield return element;

                    // A pipe over memory has no wait that would look at it.
                    cancellationToken.ThrowIfCancellationRequested();
                }

                needsMore = !reading.IsDone;
            }
            finally
            {
                // Part of an element is not shown again before there is more; what a caller leaves who goes no further is.
                reader.AdvanceTo(rest.Start, needsMore ? result.Buffer.End : rest.Start);
            }
        }
    }
}
