using System.Buffers.Binary;
using System.Runtime.ExceptionServices;
using Wire.Testing.Fuzzing;
using Wire.Tests.Behaviour;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>Messages of one session.</summary>
internal static class SessionRoute
{
    // It names two types that no other sample of a session's target names, each once: its bytes mean the same in any session.
    private static readonly byte[] Good =
        Setup.Serializer(dynamicCode: true).Serialize(new Box<Leaf> { Value = new Leaf { Id = 5, Text = "still here" } });

    /// <summary>Messages of one session. It goes on behind one that cannot be read, as a program may.</summary>
    public static Route<List<object?>> Session() => new(Routes.Messages, ReadSession, WriteSession, IsClosed: false);

    private static List<object?> ReadSession(Serializer serializer, byte[] bytes)
    {
        using DeserializerSession session = serializer.GetDeserializerSession();
        var values = new List<object?>();
        WireFormatException? first = null;
        for (int at = 0; at < bytes.Length;)
        {
            uint length = bytes.Length - at < sizeof(uint) ? uint.MaxValue : BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));
            at = Math.Min(at + sizeof(uint), bytes.Length);
            int end = (int)Math.Min(bytes.Length, at + (long)length);
            try
            {
                values.Add(serializer.Deserialize<object>(bytes.AsSpan(at, end - at), session));
            }
            catch (WireFormatException e)
            {
                first ??= e;
            }
            catch (InvalidOperationException) when (first is not null)
            {
                // What came before has ended the session, which says so from then on.
                ExceptionDispatchInfo.Throw(first);
            }

            at = end;
        }

        try
        {
            if (serializer.Deserialize<object>(Good, session) is not Box<Leaf> { Value: { Id: 5, Text: "still here" } })
            {
                throw new BrokenPromiseException("session", "After these messages the session reads a good one as something else.");
            }
        }
        catch (InvalidOperationException) when (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }

        if (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }

        return values;
    }

    private static byte[] WriteSession(Serializer serializer, List<object?>? values)
    {
        using SerializerSession session = serializer.GetSerializerSession();
        var bytes = new List<byte>();
        foreach (object? value in values!)
        {
            byte[] message = serializer.Serialize(value, session);
            bytes.AddRange(BitConverter.GetBytes(message.Length));
            bytes.AddRange(message);
        }

        return [.. bytes];
    }
}
