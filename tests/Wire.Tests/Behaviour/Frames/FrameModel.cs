using System.IO.Pipelines;
using Wire.Testing;

namespace Wire.Tests.Behaviour.Frames;

/// <summary>The messages of a framed connection. Several have one layout: a wrong number gives another one, and no error.</summary>
internal static class FrameModel
{
    public abstract class Letter
    {
        public int Cents;
        public string? To;
    }

    public sealed class Transfer : Letter;

    public sealed class Refund : Letter;

    /// <summary>Refused by the reader.</summary>
    public sealed class Hidden : Letter;

    public sealed class Bundle : Letter
    {
        public Letter?[] Inside = [];
    }

    /// <summary>No letter.</summary>
    public sealed class Parcel
    {
        public int Cents;
        public string? To;
    }

    /// <summary>Its conversion throws where its number is odd.</summary>
    public sealed class Actor : Letter;

    public sealed class ActorName
    {
        public int Number;
    }

    /// <summary>Cannot be written.</summary>
    public sealed class Unwritable : Letter
    {
        public Action? Code = () => { };
    }

    public sealed class ActorMissingException : Exception;

    /// <summary>A serializer that refuses <see cref="Hidden"/>.</summary>
    public static Serializer Make(bool references = false, Func<SerializerOptions, SerializerOptions>? change = null)
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = references,
            TypeFilter = WireTypeFilter.Default.Allow<Transfer>().Allow<Refund>().Allow<Bundle>().Allow<Parcel>().Allow<Actor>()
                .Allow<ActorName>(),
            Surrogates =
            [
                Surrogate.Create<Actor, ActorName>(
                    actor => new ActorName { Number = actor.Cents },
                    name => name.Number % 2 == 0 ? new Actor { Cents = name.Number } : throw new ActorMissingException()),
            ],
        };
        return new Serializer(change is null ? options : change(options));
    }

    public static byte[] Frame(byte[] payload) => [.. BitConverter.GetBytes(payload.Length), .. payload];

    /// <summary>A pipe that gives at most so many bytes at a time.</summary>
    public static PipeReader Pipe(byte[] bytes, int atOnce) =>
        PipeReader.Create(new TrickleStream(bytes, atOnce), new StreamPipeReaderOptions(bufferSize: 16, minimumReadSize: 1));
}
