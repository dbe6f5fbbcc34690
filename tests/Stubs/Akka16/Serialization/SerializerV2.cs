using System.Buffers;
using Akka.Actor;

namespace Akka.Serialization;

/// <summary>The signatures of Akka.NET 1.6's serializers.</summary>
public abstract class SerializerV2
{
    public const int UnknownSize = -1;

    protected readonly ExtendedActorSystem system;

    protected SerializerV2(ExtendedActorSystem system) => this.system = system;

    public virtual int Identifier => throw new NotSupportedException();

    public virtual bool IncludeManifest => throw new NotSupportedException();

    public abstract string Manifest(object obj);

    public virtual int SizeHint(object obj) => UnknownSize;

    public abstract int Serialize(object obj, IBufferWriter<byte> writer);

    public abstract object Deserialize(ReadOnlySequence<byte> bytes, string manifest);

    public virtual byte[] ToBinary(object obj) => throw new NotSupportedException();

    public virtual object FromBinary(byte[] bytes, string manifest) => throw new NotSupportedException();

    public virtual object FromBinary(byte[] bytes, Type? type) => throw new NotSupportedException();
}
