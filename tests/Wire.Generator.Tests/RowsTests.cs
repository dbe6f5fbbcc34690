using System.Reflection;
using Wire.Generator.Tests.Testing;
using Wire.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>The rows of a context are those that a native program needs.</summary>
public sealed class RowsTests
{
    // What Wire makes while it runs is what native code must have been told of, by the rows or in any case.
    [Fact]
    public void The_rows_of_the_round_trips_tell_of_all_that_they_make()
    {
        Assembly program = Compiled.Of(Compiled.Program("RoundTrips/")).Load();
        var options = new SerializerOptions { DynamicCode = false, TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop") };
        var trips = (Array)program.GetType("Trips")!.GetProperty("All")!.GetValue(null)!;

        CheckAllTold(TableOf(program, "Written"), () =>
        {
            foreach (object trip in trips)
            {
                ((Action<SerializerOptions>)trip.GetType().GetField("Item2")!.GetValue(trip)!)(options);
            }
        });
    }

    [Fact]
    public void The_rows_of_all_kinds_of_types_tell_of_all_that_is_made_of_their_values()
    {
        Assembly program = Compiled.Of(Compiled.Text("Kinds.cs")).Load();
        var options = new SerializerOptions
        {
            DynamicCode = false,
            TypeFilter = WireTypeFilter.Default.AllowNamespace("Kinds").AllowNamespace("Kinds.Inner")
                .Allow(program.GetType("Everywhere")!),
            PreserveObjectReferences = true,
        };
        var values = (object[])program.GetType("Kinds.Values")!.GetMethod("All")!.Invoke(null, null)!;

        CheckAllTold(TableOf(program, "Kinds.Messages"), () => Assert.All(values, value =>
        {
            var serializer = new Serializer(options);
            byte[] payload = serializer.Serialize(value);
            Assert.True(new GraphEquality(serializer).AreEqual(value, serializer.Deserialize<object>(payload)), value.ToString());
        }));
    }

    private static WireTypes TableOf(Assembly program, string context) =>
        (WireTypes)program.GetType(context)!.GetProperty("Default")!.GetValue(null)!;

    private static void CheckAllTold(WireTypes table, Action run)
    {
        HashSet<string> common = [.. BuiltIns.SeenInAnyCase().Select(Shared)];
        string[] told = [.. BuiltIns.SeenByNativeCode(() => Assert.NotEmpty(table)).Select(Shared)];

        Type[] made = BuiltIns.MadeBy(run);

        string[] ofValues = [.. made.Where(HasValue).Select(Shared).Distinct()];
        Assert.InRange(ofValues.Except(common).Count(), 50, 1000);
        string[] missing = [.. ofValues.Except(common).Except(told)];
        Assert.True(missing.Length == 0, string.Join('\n', missing));
    }

    // The code over a struct of Wire's own is there where the library names it.
    private static bool HasValue(Type type) => type.GetGenericArguments().Any(
        argument => argument.IsValueType && (argument.IsGenericType || argument.Assembly != typeof(Serializer).Assembly));

    // The code of all classes is one.
    private static string Shared(Type type) => !type.IsGenericType ? type.ToString()
        : $"{type.GetGenericTypeDefinition()}<{string.Join(", ", type.GetGenericArguments().Select(
            argument => argument.IsValueType ? Shared(argument) : "class"))}>";
}
