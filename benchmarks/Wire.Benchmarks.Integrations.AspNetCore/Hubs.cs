using System.Buffers;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Wire.AspNetCore;

namespace Wire.Benchmarks.Integrations;

/// <summary>The hub protocols of SignalR: a call of a method that takes the message.</summary>
internal static class Hubs
{
    public static IEnumerable<Candidate> All(OrderEvent message)
    {
        yield return New("JSON, the default", new JsonHubProtocol(), message);
        yield return New("MessagePack, with [Union]", new MessagePackHubProtocol(), message);
        yield return New("Wire", new WireHubProtocol(Serializers.Plain), message);
        yield return New("Wire, known types", new WireHubProtocol(Serializers.Known), message);
    }

    private static Candidate New(string name, IHubProtocol protocol, OrderEvent message)
    {
        var output = new ArrayBufferWriter<byte>(4096);
        var binder = new Binder();
        var argument = new Enclosed { Event = message };
        return new(
            "IHubProtocol",
            name,
            () =>
            {
                output.ResetWrittenCount();
                protocol.WriteMessage(new InvocationMessage("1", "Place", [argument]), output);
                return output.WrittenCount;
            },
            () =>
            {
                var input = new ReadOnlySequence<byte>(output.WrittenMemory);
                if (!protocol.TryParseMessage(ref input, binder, out HubMessage? read))
                {
                    throw new InvalidDataException("The message is not whole.");
                }

                return ((Enclosed)((InvocationMessage)read).Arguments[0]!).Event!;
            });
    }

    private sealed class Binder : IInvocationBinder
    {
        private static readonly Type[] Parameters = [typeof(Enclosed)];

        public IReadOnlyList<Type> GetParameterTypes(string methodName) => Parameters;

        public Type GetReturnType(string invocationId) => typeof(object);

        public Type GetStreamItemType(string streamId) => typeof(object);
    }
}
