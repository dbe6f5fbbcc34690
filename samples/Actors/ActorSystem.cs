using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Actors;

/// <summary>The actors of one node, and the references to those of others. Surrogates have it as their context.</summary>
/// <param name="node">The number of the node.</param>
internal sealed class ActorSystem(ushort node)
{
    // Lasting actors have small numbers, the same in each life of a node. Those that wait for an answer have others in each life, so that
    // the answer to a former one does not reach a later one.
    private const uint FirstPassing = 1 << 16;
    private const int Room = 4096;

    private readonly ConcurrentDictionary<ActorAddress, ActorRef> _references = new();
    private readonly ConcurrentDictionary<ushort, Mailbox<Envelope>> _outgoing = new();
    private uint _lastPassing = (uint)Random.Shared.NextInt64(FirstPassing, uint.MaxValue);

    /// <summary>Gets the messages that nobody gets.</summary>
    public DeadLetters DeadLetters { get; } = new();

    /// <summary>Starts an actor.</summary>
    /// <param name="number">The number by which all nodes know it.</param>
    /// <param name="actor">The actor.</param>
    /// <param name="ended">The task that ends with it.</param>
    public ActorRef Start(uint number, Actor actor, out Task ended)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(number, FirstPassing);
        var mailbox = new Mailbox<Envelope>(Room);
        var self = new ActorRef(new ActorAddress(node, number), mailbox);
        if (!_references.TryAdd(self.Address, self))
        {
            throw new ArgumentException($"{self} is another actor.", nameof(number));
        }

        ended = Task.Run(async () =>
        {
            await actor.RunAsync(this, self, mailbox);
            _references.TryRemove(self.Address, out _);
            _ = DeadLetters.DrainAsync(mailbox); // whoever still has the reference is not to wait for room for ever
        });
        return self;
    }

    /// <summary>Makes another node known.</summary>
    /// <returns>The mailbox of what waits for it.</returns>
    public Mailbox<Envelope> Connect(ushort other) => _outgoing.GetOrAdd(other, static _ => new(Room));

    /// <summary>Finds the reference for an address, which may have come from anywhere.</summary>
    public ActorRef Resolve(ActorAddress address)
    {
        if (_references.TryGetValue(address, out ActorRef? known))
        {
            return known;
        }

        if (address.Node == node || !_outgoing.TryGetValue(address.Node, out Mailbox<Envelope>? outgoing))
        {
            return new ActorRef(address, DeadLetters.Mailbox);
        }

        // The passing ones are too many to be kept.
        var reference = new ActorRef(address, outgoing);
        return address.Number < FirstPassing ? _references.GetOrAdd(address, reference) : reference;
    }

    /// <summary>Returns whether another node may have sent an envelope: no constructor has checked what comes from outside.</summary>
    public bool Accepts([NotNullWhen(true)] Envelope? envelope)
    {
        if (envelope is { Target: { } target, Body: not null } && target.Address.Node == node)
        {
            return true;
        }

        DeadLetters.Add($"An envelope has no target here, or no message: {envelope}");
        return false;
    }

    /// <summary>Sends a message, and waits for the answer.</summary>
    /// <exception cref="OperationCanceledException">There was none in time.</exception>
    /// <exception cref="Exception">It is what the actor has thrown.</exception>
    public async Task<T> AskAsync<T>(ActorRef target, Message message, TimeSpan timeout)
        where T : Message
    {
        var answers = new Mailbox<Envelope>(room: int.MaxValue);
        var self = new ActorRef(new ActorAddress(node, NextPassing()), answers);
        _references[self.Address] = self;
        try
        {
            target.Tell(message, self);
            using var late = new CancellationTokenSource(timeout);
            return (await answers.TakeAllAsync(late.Token))[0].Body switch
            {
                T answer => answer,
                Failure failure => throw failure.Reason,
                var other => throw new InvalidOperationException($"{target} has answered {message} with {other}."),
            };
        }
        finally
        {
            _references.TryRemove(self.Address, out _);
        }
    }

    private uint NextPassing() => Math.Max(FirstPassing, Interlocked.Increment(ref _lastPassing));
}
