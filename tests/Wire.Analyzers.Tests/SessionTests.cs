using Wire.Analyzers.CodeFixes;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE109 and WIRE110: sessions.</summary>
public sealed class SessionTests
{
    [Fact]
    public Task A_session_that_is_not_disposed_of_gets_a_using() => Check.FixesAsync<SessionAnalyzer, UsingFix>(
        Program("""
            // Of this file.
            SerializerSession session = {|#0:serializer.GetSerializerSession()|};
                    serializer.Serialize(1, session);
            """),
        Program("""
            // Of this file.
            using SerializerSession session = serializer.GetSerializerSession();
                    serializer.Serialize(1, session);
            """),
        "WIRE109: The session 'session' is not disposed of. Declare it with using.");

    [Theory]
    [InlineData("using var own = serializer.GetSerializerSession(); serializer.Serialize(1, own);")]
    [InlineData("using (var own = serializer.GetSerializerSession()) { serializer.Serialize(1, own); }")]
    [InlineData("var own = serializer.GetSerializerSession(); try { serializer.Serialize(1, own); } finally { own.Dispose(); }")]
    [InlineData("var own = serializer.GetSerializerSession(); using (own) { serializer.Serialize(1, own); }")]
    [InlineData("var own = serializer.GetSerializerSession(); Keep(own);")]
    [InlineData("var own = serializer.GetSerializerSession(); _kept = own;")]
    [InlineData("_kept = serializer.GetSerializerSession();")]
    [InlineData("Keep(serializer.GetSerializerSession());")]
    [InlineData("var own = serializer.GetSerializerSession(); Action later = () => serializer.Serialize(1, own);")]
    public Task One_that_is_disposed_of_or_kept_is_not_found(string statements) => Check.FindsAsync<SessionAnalyzer>(Program(statements));

    [Theory]
    [InlineData("Parallel.For(0, 9, i => serializer.Serialize(i, {|#0:session|}));", "Parallel.For")]
    [InlineData("Parallel.ForEach(new[] { 1 }, i => { serializer.Serialize(i, {|#0:session|}); });", "Parallel.ForEach")]
    [InlineData("foreach (int i in new[] { 1 }) { Task.Run(() => serializer.Serialize(i, {|#0:session|})); }", "Task.Run")]
    [InlineData("for (int i = 0; i < 2; i++) { new Thread(() => serializer.Serialize(1, {|#0:session|})).Start(); }", "Thread.Thread")]
    [InlineData("Parallel.Invoke(() => Use({|#0:session|}), () => Use({|#1:session|}));", "Parallel.Invoke", 2)]
    [InlineData("var a = Task.Run(() => Use({|#0:session|})); var b = Task.Run(() => Use({|#1:session|}));", "Task.Run", 2)]
    [InlineData("new List<int>().ConvertAll(i => Task.Run(() => Use({|#0:session|})));", "Task.Run")]
    public Task One_that_several_threads_use_is_found(string statements, string by, int count = 1) => Check.FindsAsync<SessionAnalyzer>(
        Program(statements, "SerializerSession session"),
        [
            .. Enumerable.Repeat(
                $"WIRE110: The session 'session' was made outside of what {by} runs at the same time, and a session takes one call at "
                    + "a time. Make one inside, or use the serializer without a session, which is thread-safe.",
                count),
        ]);

    [Theory]
    [InlineData("Task.Run(() => Use(session));")]
    [InlineData("while (true) { await Task.Run(() => Use(session)); }")]
    [InlineData("await Task.Run(() => Use(session)); await Task.Run(() => Use(session));")]
    [InlineData("Parallel.For(0, 9, i => { using var own = serializer.GetSerializerSession(); serializer.Serialize(i, own); });")]
    [InlineData("Parallel.For(0, 9, i => { lock (serializer) { serializer.Serialize(i, session); } });")]
    [InlineData("Parallel.For(0, 9, i => serializer.Serialize(i));")]
    [InlineData("new List<int>().ForEach(i => Use(session));")]
    public Task One_that_is_used_in_turn_is_not_found(string statements) => Check.FindsAsync<SessionAnalyzer>(
        Program(statements, "SerializerSession session"));

    private static string Program(string statements, string parameter = "int number") =>
        $$"""
        using System.Threading;
        using System.Threading.Tasks;
        using Wire;

        public class Connection
        {
            private SerializerSession? _kept;

            public async Task Run(Serializer serializer, {{parameter}})
            {
                await Task.Yield();
                {{statements}}
            }

            private void Keep(SerializerSession session) => _kept = session;

            private void Use(SerializerSession? session) => Keep((session ?? _kept)!);
        }
        """;
}
