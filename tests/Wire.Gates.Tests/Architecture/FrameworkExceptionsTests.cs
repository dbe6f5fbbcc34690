using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Gates.Tests.Architecture;

/// <summary>What native code cannot look up of .NET is in tables, which are compared with .NET here.</summary>
public sealed class FrameworkExceptionsTests
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // One that is missing is refused, and one too many would lose its fields without an error.
    [Fact]
    public void The_exceptions_without_fields_of_their_own_are_those_of_the_shared_framework()
    {
        string[] told = (string[])Internal("Wire.Runtime.FrameworkExceptions").GetField("WithoutFields")!.GetValue(null)!;
        string[] real = [.. Directory.EnumerateFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "*.dll")
            .SelectMany(Types)
            .Where(type => type.IsSubclassOf(typeof(Exception)) && type.IsVisible && type.GetFields(Declared).Length == 0)
            .Select(type => type.FullName!)
            .Distinct()
            .Order(StringComparer.Ordinal)];

        Assert.Equal(real, told.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Types_of_dotnet_that_are_written_by_their_fields_have_as_many_as_the_table_says()
    {
        Type families = Internal("Wire.SerializerFactories.Families");
        MethodInfo fields = Internal("Wire.SerializerFactories.Family")
            .GetMethod("FieldsOf", BindingFlags.Static | BindingFlags.NonPublic)!;
        Type[] members = [.. ((IEnumerable<Type>)families.GetProperty("Definitions")!.GetValue(null)!).Where(type =>
            type.IsVisible
            && (typeof(ITuple).IsAssignableFrom(type) || type.Namespace is "System.Numerics" or "System.Drawing")
            && type.Name is not ("Color" or "Complex" or "BigInteger"))];

        Assert.NotEmpty(members);
        Assert.All(
            members.Append(typeof(Range)).Append(typeof(System.Collections.DictionaryEntry)).Append(typeof(KeyValuePair<,>)).Append(
                typeof(RemoteException)),
            type => Assert.Equal(type.GetFields(Declared).Length, (int)fields.Invoke(null, [type])!));
    }

    private static Type Internal(string name) => typeof(Serializer).Assembly.GetType(name, throwOnError: true)!;

    private static IEnumerable<Type> Types(string file)
    {
        try
        {
            return Assembly.Load(new AssemblyName(Path.GetFileNameWithoutExtension(file))).GetTypes();
        }
        catch (Exception e) when (e is BadImageFormatException or FileNotFoundException or FileLoadException)
        {
            // A native library.
            return [];
        }
    }
}
