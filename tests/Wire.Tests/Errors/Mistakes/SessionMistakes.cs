using static Wire.Tests.Errors.Mistakes.Mistake;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>Sessions that are shared, ended, or have missed a message; and code of the program that Wire calls.</summary>
internal static class SessionMistakes
{
    public static Mistake[] All =>
    [
        new(
            "a later message of a session, read without it",
            () => Default.Deserialize<Placed>(Message(1)),
            "manifest 0",
            "has to be read with the DeserializerSession that read the messages before it"),
        new(
            "a message of a session that was lost",
            () =>
            {
                using DeserializerSession session = Default.GetDeserializerSession();
                Default.Deserialize<Placed>(Message(1), session);
            },
            "manifest 0",
            "begin new sessions on both sides"),
        new(
            "a session that has ended",
            () =>
            {
                SerializerSession session = Default.GetSerializerSession();
                session.Dispose();
                Default.Serialize(new Placed(1, "Ann"), session);
            },
            "has ended by Dispose",
            "Begin a new one"),
        new(
            "a session of another serializer",
            () =>
            {
                using SerializerSession session = Trusting.GetSerializerSession();
                Default.Serialize(new Placed(1, "Ann"), session);
            },
            "another serializer",
            "Use it with the one that made it"),
        new(
            "a session in use",
            () =>
            {
                SerializerSession? session = null;
                Serializer? own = null;
                own = With(new()
                {
                    Surrogates = [Surrogate.Create<Placed, byte[]>(_ => own!.Serialize(1, session!), _ => new Placed(1, ""))],
                });
                using (session = own.GetSerializerSession())
                {
                    own.Serialize(new Placed(1, "Ann"), session);
                }
            },
            "session is in use",
            "Use a session for one call at a time"),
        new("a null type", () => Default.Prepare(typeof(int), null!), "at index 1", "Leave it out"),
        new(
            "unknown members of another type",
            () => Default.Serialize(new Keeping { More = 2, UnknownMembers = Rest() }),
            "SessionMistakes+Keeping",
            "Set them to null"),
    ];

    private static byte[] Message(int number)
    {
        using SerializerSession session = Default.GetSerializerSession();
        byte[][] messages = [Default.Serialize(new Placed(1, "Ann"), session), Default.Serialize(new Placed(2, "Bob"), session)];
        return messages[number];
    }

    private static UnknownMembers? Rest() =>
        Naming(TypeAliases.None.Alias<Kept>("T")).Deserialize<Kept>(Extended())!.UnknownMembers;

    private static byte[] Extended() => Naming(TypeAliases.None.Alias<Full>("T")).Serialize(new Full());

    private sealed class Full
    {
        public string? Name { get; set; } = "n";

        public int More { get; set; } = 1;
    }

    private sealed class Kept : IUnknownMembers
    {
        public string? Name { get; set; }

        public UnknownMembers? UnknownMembers { get; set; }
    }

    private sealed class Keeping : IUnknownMembers
    {
        public int More { get; set; }

        public UnknownMembers? UnknownMembers { get; set; }
    }
}
