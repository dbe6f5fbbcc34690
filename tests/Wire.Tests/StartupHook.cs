using System.Runtime;
using System.Runtime.CompilerServices;
using Wire;

/// <summary>
/// What the runtime calls first in a process that DOTNET_STARTUP_HOOKS points at this assembly: the only code here that runs
/// where nothing else has. It says what a first message compiles or loads.
/// </summary>
internal static class StartupHook
{
    /// <summary>The name of the variable that says what is to be done.</summary>
    public const string Task = "WIRE_TEST_TASK";

    /// <summary>Which assemblies are there once a message has come and gone.</summary>
    public const string Assemblies = "assemblies";

    /// <summary>How many methods a message compiles.</summary>
    public const string Methods = "methods";

    /// <summary>How many methods the first messages of a prepared type compile: the plain ones, then the typed ones.</summary>
    public const string PreparedMethods = "prepared";

    /// <summary>
    /// What names in payloads mean where nothing has used their assemblies yet: the word, the filter and the names, between semicolons.
    /// </summary>
    public const string Name = "name";

    /// <summary>Writes and reads a file of elements: the word, the number of bytes and the path, between semicolons.</summary>
    public const string File = "file";

    public static void Initialize()
    {
        var serializer = new Serializer();
        string[] task = Environment.GetEnvironmentVariable(Task)?.Split(';') ?? [];
        switch (task.FirstOrDefault())
        {
            case Name:
                Array.ForEach(task[2..], name => Wire.Tests.Types.UnloadedNameTests.Resolve(task[1], name));
                break;
            case File:
                Wire.Tests.Behaviour.AsyncSequences.LargeFile.RunAsync(long.Parse(task[1], null), task[2]).GetAwaiter().GetResult();
                break;
            case Assemblies:
                Console.WriteLine(Exchange(serializer));
                foreach (System.Reflection.Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                {
                    Console.WriteLine(assembly.GetName().Name);
                }

                break;
            case Methods:
                long before = JitInfo.GetCompiledMethodCount(currentThread: true);
                Exchange(serializer);
                Console.WriteLine(JitInfo.GetCompiledMethodCount(currentThread: true) - before);
                break;
            case PreparedMethods:
                serializer.Prepare<Varied>();
                Console.WriteLine(Count(() => serializer.Deserialize<Varied>(serializer.Serialize(Varied.Create()))));
                Console.WriteLine(Count(() => serializer.DeserializeTyped<Varied>(serializer.SerializeTyped(Varied.Create()))));
                break;
        }
    }

    private static string Exchange(Serializer serializer)
    {
        Message read = serializer.Deserialize<Message>(serializer.Serialize(new Message { Number = 7, Names = ["a"], Any = 1.5m }))!;
        return $"{read.Number} {read.Names[0]} {read.Any}";
    }

    // What is not the library's is compiled beforehand.
    private static long Count(Func<Varied?> exchange)
    {
        Varied.Create();
        RuntimeHelpers.PrepareMethod(exchange.Method.MethodHandle);
        long before = JitInfo.GetCompiledMethodCount(currentThread: true);
        Varied read = exchange()!;
        long compiled = JitInfo.GetCompiledMethodCount(currentThread: true) - before;
        return read.Parts[1].Name == "b" ? compiled : throw new InvalidOperationException("What was read is not what was written.");
    }

    private sealed class Message
    {
        public int Number { get; set; }

        public List<string> Names { get; set; } = [];

        public object? Any { get; set; }
    }

    private sealed class Varied
    {
        public int Number;
        public string? Text;
        public DateTime Time;
        public decimal? Price;
        public DayOfWeek Day;
        public int[] Numbers = [];
        public List<string> Names = [];
        public Part? One;
        public List<Part> Parts = [];
        public Dictionary<string, int> Counts = [];
        public Varied? Next;

        public static Varied Create() => new()
        {
            Number = 7,
            Text = "text",
            Time = DateTime.UnixEpoch,
            Price = 1.5m,
            Day = DayOfWeek.Friday,
            Numbers = [1, 2, 3],
            Names = ["a", "b"],
            One = new Part { Name = "one" },
            Parts = [new Part { Name = "a" }, new Part { Name = "b" }],
            Counts = new Dictionary<string, int> { ["a"] = 1 },
            Next = new Varied { Next = new Varied() },
        };
    }

    private sealed class Part
    {
        public string? Name;
        public double Weight;
    }
}
