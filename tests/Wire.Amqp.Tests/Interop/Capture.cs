using Wire.Testing;

namespace Wire.Amqp.Tests.Interop;

/// <summary>
/// The bytes of a connection, all of each direction in a row. Captures/README.md says how those in the project were made.
/// </summary>
internal sealed record Capture(byte[] FromClient, byte[] FromServer)
{
    private static readonly string Folder = Repository.Tests("Wire.Amqp.Tests", "Interop", "Captures");

    public static Capture Load(string name) => new(File.ReadAllBytes(PathOf(name, "client")), File.ReadAllBytes(PathOf(name, "server")));

    public void Save(string name)
    {
        File.WriteAllBytes(PathOf(name, "client"), FromClient);
        File.WriteAllBytes(PathOf(name, "server"), FromServer);
    }

    private static string PathOf(string name, string side) => Path.Combine(Folder, $"{name}.{side}.bin");
}
