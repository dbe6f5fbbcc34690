using Wire;

/// <summary>
/// What the runtime calls first in a process that DOTNET_STARTUP_HOOKS points at this assembly: the only code here that runs
/// where nothing else has. It says which assemblies are there once a message has come and gone.
/// </summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        var serializer = new Serializer();
        Message read = serializer.Deserialize<Message>(serializer.Serialize(new Message { Number = 7, Names = ["a"], Any = 1.5m }))!;
        Console.WriteLine($"{read.Number} {read.Names[0]} {read.Any}");
        foreach (System.Reflection.Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
        {
            Console.WriteLine(assembly.GetName().Name);
        }
    }

    private sealed class Message
    {
        public int Number { get; set; }

        public List<string> Names { get; set; } = [];

        public object? Any { get; set; }
    }
}
