using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;
using Wire.Transport.Sockets;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// One connection to one node, for one session: any error ends it permanently, and is reported to its publishers and subscriptions.
/// Thread-safe.
/// </summary>
/// <remarks>
/// Two threads: one receives and dispatches, one sends. Requests are answered by their correlation, in any order.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "Its parts end with it, on its receive loop.")]
internal sealed partial class StreamLink
{
    // Numbers of publishers and of subscriptions are octets.
    private const int MostOfAKind = 256;

    private readonly LinkSocket _socket;
    private readonly FrameBuffer _received;
    private readonly FrameSender _sender;
    private readonly Lock _gate = new();
    private readonly Dictionary<uint, LinkCall> _calls = [];
    private readonly LinkTable<ILinkPublisher> _publishers = new(MostOfAKind);
    private readonly LinkTable<ILinkSubscription> _subscriptions = new(MostOfAKind);
    private readonly TaskCompletionSource<Exception> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TimeSpan _timeout;
    private Heartbeats? _heartbeats;
    private Exception? _reason;
    private uint _correlation;
    private volatile bool _isClosing;

    private StreamLink(LinkSocket socket, StreamClientOptions options)
    {
        _socket = socket;
        _timeout = options.Timeout;
        _received = new FrameBuffer(options.MaxChunkBytes, Math.Min(options.RequestedFrameMax, options.MaxChunkBytes));
        _sender = new FrameSender(socket, $"Streams, to {socket.Endpoint}", Sent, e => Close(Lost(e)));
    }

    /// <summary>Gets the endpoint that it is connected to.</summary>
    public BrokerEndpoint Endpoint => _socket.Endpoint;

    /// <summary>The largest frame that may be sent, its size included.</summary>
    public int FrameMax { get; private set; }

    /// <summary>Gets the broker's properties, such as its version.</summary>
    public IReadOnlyDictionary<string, string> ServerProperties { get; private set; } = new Dictionary<string, string>();

    /// <summary>The broker's version; null if unknown.</summary>
    public Version? ServerVersion =>
        ServerProperties.TryGetValue("version", out string? text) && Version.TryParse(text.Split('-', '+')[0], out Version? version)
            ? version
            : null;

    /// <summary>Gets the broker's properties of the connection: where it advertises the node.</summary>
    public IReadOnlyDictionary<string, string> ConnectionProperties { get; private set; } = new Dictionary<string, string>();

    /// <summary>The largest version of each command that the broker has sent; empty where it sends none (before 3.11).</summary>
    public IReadOnlyDictionary<CommandKey, ushort> Versions { get; private set; } = new Dictionary<CommandKey, ushort>();

    /// <summary>Ends when the link has ended, with the reason.</summary>
    public Task<Exception> Ended => _ended.Task;

    /// <summary>Gets whether it has ended.</summary>
    public bool HasEnded => Volatile.Read(ref _reason) is not null;

    /// <summary>Sends a request, and waits for its answer.</summary>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Ends the wait; the broker answers all the same, and may have done it.</param>
    /// <param name="answered">Called on the receive loop with the code, before any later frame of the broker.</param>
    /// <returns>The code, and the result if that is Ok.</returns>
    /// <exception cref="StreamConnectionException">The link has ended, or ends before the answer has come.</exception>
    /// <exception cref="TimeoutException">No answer has come in time.</exception>
    public async Task<(StreamResponseCode Code, TResponse Response)> AskAsync<TRequest, TResponse>(
        TRequest request, CancellationToken cancellationToken, Action<StreamResponseCode>? answered = null)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse>
    {
        var call = new LinkCall<TResponse>(answered);
        uint correlation = Register(call);
        try
        {
            _sender.Post(
                (correlation, request), static (output, state) => StreamFrames.WriteRequest(output, state.correlation, state.request));
            return await call.Result.WaitAsync(_timeout, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"{Endpoint} has not answered {TRequest.Key} within {_timeout}.", e);
        }
        finally
        {
            lock (_gate)
            {
                _calls.Remove(correlation);
            }
        }
    }

    /// <summary>Sends a request, and waits until it is granted.</summary>
    /// <param name="request">The request.</param>
    /// <param name="what">What that is in words, as in "The broker refuses to ...".</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="answered">Called on the receive loop with the code.</param>
    /// <exception cref="StreamException">The broker refuses.</exception>
    /// <inheritdoc cref="AskAsync"/>
    public async Task<TResponse> DemandAsync<TRequest, TResponse>(
        TRequest request, string what, CancellationToken cancellationToken, Action<StreamResponseCode>? answered = null)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse>
    {
        (StreamResponseCode code, TResponse response) =
            await AskAsync<TRequest, TResponse>(request, cancellationToken, answered).ConfigureAwait(false);
        ResponseErrors.ThrowUnlessOk(code, what);
        return response;
    }

    /// <summary>Gives a subscription credit for more chunks.</summary>
    public void Credit(byte id, ushort chunks) => _sender.Post(new Credit { SubscriptionId = id, Chunks = chunks });

    /// <summary>The offset that was stored last for a named consumer; null where none is.</summary>
    /// <exception cref="StreamException">The broker refuses.</exception>
    /// <inheritdoc cref="DemandAsync"/>
    public async Task<ulong?> QueryOffsetAsync(string name, string stream, string what, CancellationToken cancellationToken)
    {
        (StreamResponseCode code, Number<ulong> stored) =
            await AskAsync<QueryOffset, Number<ulong>>(new QueryOffset { Reference = name, Stream = stream }, cancellationToken)
                .ConfigureAwait(false);
        if (code == StreamResponseCode.NoOffset)
        {
            return null;
        }

        ResponseErrors.ThrowUnlessOk(code, what);
        return stored.Value;
    }

    /// <summary>Stores the offset of a named consumer. The broker does not answer.</summary>
    public void StoreOffset(string name, string stream, ulong offset) =>
        _sender.Post(new StoreOffset { Reference = name, Stream = stream, Offset = offset });

    /// <summary>Says where a single active consumer continues.</summary>
    public void AnswerUpdate(uint correlation, StreamOffset offset) =>
        _sender.Post((correlation, offset), static (output, state) =>
            StreamFrames.WriteResponse(output, CommandKey.ConsumerUpdate, state.correlation, StreamResponseCode.Ok, state.offset.Fields));

    /// <summary>Asks a publisher of this link for its frames, when it is its turn.</summary>
    public void Wake(ILinkPublisher publisher) => _sender.Wake(publisher);

    /// <inheritdoc cref="FrameSender.Sending"/>
    public TimeSpan Sending => _sender.Sending;

    /// <summary>Closes the connection at the broker, waits for its answer, and ends.</summary>
    /// <param name="cancellationToken">Ends the wait for the answer: it ends without.</param>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        _isClosing = true;
        try
        {
            var request = new Close { Code = (ushort)StreamResponseCode.Ok, Reason = "OK" };
            await AskAsync<Close, Nothing>(request, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or TimeoutException)
        {
            // It has ended already, or never answers: a close is pointless.
            Close(e);
        }
        catch (OperationCanceledException)
        {
            // Closing does not wait for that.
        }

        Close(Closed());
        await _ended.Task.ConfigureAwait(false);
    }

    /// <summary>Ends the link now.</summary>
    public void Abort(string why) => Close(new StreamConnectionException($"The connection to {Endpoint} was closed: {why}."));

    private StreamConnectionException Closed() => new($"The connection to {Endpoint} was closed by this program.");

    private uint Register(LinkCall call)
    {
        lock (_gate)
        {
            ThrowIfEnded();
            uint correlation = ++_correlation;
            _calls.Add(correlation, call);
            return correlation;
        }
    }

    private void ThrowIfEnded()
    {
        if (Volatile.Read(ref _reason) is { } reason)
        {
            throw Again(reason);
        }
    }

    // A thrown exception belongs to the code that caught it: each caller gets a copy.
    private static StreamConnectionException Again(Exception reason) => new(reason.Message, reason);

    private void Sent() => _heartbeats?.Sent();

    private static StreamConnectionException Lost(Exception e) =>
        e as StreamConnectionException ?? new StreamConnectionException(e.Message, e);

    private void Close(Exception reason)
    {
        lock (_gate)
        {
            if (_reason is not null)
            {
                return;
            }

            Volatile.Write(ref _reason, reason);
        }

        _heartbeats?.Dispose();
        _sender.Close();
        _socket.Abort();
    }

    // Called on the receive loop after its end. Publishers are notified when none of their frames are being sent.
    private void Finish(Exception reason)
    {
        Close(reason);
        reason = _reason!;
        _sender.Join();
        LinkCall[] calls;
        lock (_gate)
        {
            calls = [.. _calls.Values];
            _calls.Clear();
        }

        foreach (LinkCall call in calls)
        {
            call.Fail(Again(reason));
        }

        // An exception of one does not keep the others from being notified.
        Action[] tell =
        [
            .. _publishers.TakeAll().Select(publisher => (Action)(() => publisher.Ended(reason))),
            .. _subscriptions.TakeAll().Select(subscription => (Action)(() => subscription.Ended(reason))),
        ];
        var errors = new List<Exception>();
        foreach (Action each in tell)
        {
            try
            {
                each();
            }
            catch (Exception e)
            {
                errors.Add(e);
            }
        }

        _received.Dispose();
        _socket.Dispose();
        _ended.TrySetResult(errors.Count == 0 ? reason : new StreamConnectionException(
            $"{reason.Message} A handler of this event has thrown: {errors[0].Message}", new AggregateException([reason, .. errors])));
    }
}
