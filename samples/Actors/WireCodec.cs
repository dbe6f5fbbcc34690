using System.Buffers;
using System.IO.Pipelines;
using Wire;

namespace Actors;

/// <summary>Envelopes by Wire: a session for each connection and direction, so that the names of types travel once.</summary>
internal sealed class WireCodec : ICodec
{
    private readonly Serializer _serializer;

    public WireCodec(ActorSystem system)
    {
        #region options
        var serializer = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>().Allow<OutOfStockException>(), // what a payload may name
            Context = system,
            Surrogates = [Surrogate.Create<ActorRef, ActorAddress, ActorSystem>(
                (actor, _) => actor.Address, (address, at) => at.Resolve(address))], // the receiving system finds the actor
            Singletons = [Ping.Instance, Count.Instance, Stop.Instance],
            ReplaceUnknownExceptions = true, // a failure of another node is readable without its exception types
            PreserveObjectReferences = true, // messages may share objects, and hold cycles
        });
        #endregion
        _serializer = serializer;
    }

    public ICodecSession Open() => new Session(_serializer);

    private sealed class Session(Serializer serializer) : ICodecSession
    {
        #region session
        private readonly SerializerSession _writing = serializer.GetSerializerSession(); // both as long as the connection
        private readonly DeserializerSession _reading = serializer.GetDeserializerSession();

        public int Write(Envelope envelope, IBufferWriter<byte> output) => serializer.SerializeFramed(envelope, output, _writing);

        public IAsyncEnumerable<Envelope?> ReadAllAsync(
            PipeReader input, Func<DeadLetter, ValueTask> deadLetters, CancellationToken cancellationToken) =>
            serializer.DeserializeAllFramedAsync<Envelope>(input, _reading, deadLetters, cancellationToken);
        #endregion

        public void Dispose()
        {
            _writing.Dispose();
            _reading.Dispose();
        }
    }
}
