using Wire.Analyzers.CodeFixes;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE108: a serializer for each call.</summary>
public sealed class SerializerTests
{
    private const string Said =
        "makes a serializer each time it is called, which finds out about each type again. Make it once, and keep it in a static field.";

    [Fact]
    public Task A_serializer_for_each_call_becomes_a_field() => Check.FixesAsync<SerializerAnalyzer, SharedSerializerFix>(
        """
        using Wire;

        public static class Codec
        {
            public static byte[] Write(object order)
            {
                var serializer = {|#0:new Serializer(new SerializerOptions { PreserveObjectReferences = true })|};
                return serializer.Serialize(order);
            }
        }
        """,
        """
        using Wire;

        public static class Codec
        {
            private static readonly Serializer SharedSerializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });

            public static byte[] Write(object order)
            {
                return SharedSerializer.Serialize(order);
            }
        }
        """,
        $"WIRE108: 'Write' {Said}");

    [Fact]
    public Task One_that_is_used_in_place_becomes_a_field() => Check.FixesAsync<SerializerAnalyzer, SharedSerializerFix>(
        """
        using Wire;

        public class Codec
        {
            public int Copies { get; set; }

            public T? Read<T>(byte[] bytes) => {|#0:new Serializer()|}.Deserialize<T>(bytes);
        }
        """,
        """
        using Wire;

        public class Codec
        {
            private static readonly Serializer SharedSerializer = new Serializer();

            public int Copies { get; set; }

            public T? Read<T>(byte[] bytes) => SharedSerializer.Deserialize<T>(bytes);
        }
        """,
        $"WIRE108: 'Read' {Said}");

    [Fact]
    public Task One_in_a_local_function_is_found() => Check.FindsAsync<SerializerAnalyzer>(
        """
        using Wire;

        public static class Program
        {
            public static void Main()
            {
                Write(1);
                static byte[] Write(object value) => {|#0:new Serializer()|}.Serialize(value);
            }
        }
        """,
        $"WIRE108: 'Write' {Said}");

    [Theory]
    [InlineData("public static void Main(string[] args) => new Serializer().Serialize(args);")]
    [InlineData("public static byte[] Run() => new Serializer().Serialize(1);")]
    [InlineData("public static Serializer Make(object value) { var made = new Serializer(); made.Serialize(value); return made; }")]
    [InlineData("public static void Use(object value) { var made = new Serializer(); made.Serialize(value); Keep(made); }")]
    [InlineData("public static byte[] Run(object value, SerializerOptions options) => new Serializer(options).Serialize(value);")]
    [InlineData("public Program(object value) => new Serializer().Serialize(value);")]
    [InlineData("public static Func<object, byte[]> Later => value => new Serializer().Serialize(value);")]
    [InlineData("private SerializerOptions _own = new(); public byte[] Run(object value) => new Serializer(_own).Serialize(value);")]
    [InlineData("private static readonly Serializer Kept = new(); public static byte[] Run(object value) => Kept.Serialize(value);")]
    [InlineData("private static Serializer? _lazy; "
        + "public static byte[] Run(object o) { _lazy ??= new Serializer(); return _lazy.Serialize(o); }")]
    public Task One_that_lives_on_or_is_made_once_is_not_found(string member) => Check.FindsAsync<SerializerAnalyzer>(
        $$"""
        using Wire;

        public class Program
        {
            {{member}}

            private static void Keep(Serializer serializer)
            {
            }
        }
        """);

    [Fact]
    public Task A_project_of_tests_makes_what_it_likes() => Check.FindsAsync<SerializerAnalyzer>(
        """
        using Wire;

        public static class Codec
        {
            public static byte[] Write(object order) => new Serializer().Serialize(order);
        }
        """,
        (state, _) => state.AdditionalReferences.Add(typeof(FactAttribute).Assembly));
}
