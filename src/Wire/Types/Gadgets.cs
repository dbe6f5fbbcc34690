using System.Collections.Frozen;

namespace Wire;

/// <summary>
/// Types that published research on .NET deserialization names as ways to run an attacker's code when their members are
/// filled. Refused even by <see cref="TypeFilter.Unrestricted"/>, together with everything that derives from them.
/// </summary>
internal static class Gadgets
{
    private static readonly FrozenSet<string> Names = FrozenSet.Create(
        StringComparer.Ordinal,
        "System.AppDomainManager",
        "System.CodeDom.Compiler.TempFileCollection",
        "System.ComponentModel.BackgroundWorker",
        "System.Configuration.Install.AssemblyInstaller",
        "System.Data.DataSet",
        "System.Data.DataTable",
        "System.Data.Services.Internal.ExpandedWrapper`2",
        "System.Delegate",
        "System.Diagnostics.Process",
        "System.Diagnostics.ProcessStartInfo",
        "System.IO.FileSystemInfo",
        "System.IO.Stream",
        "System.Management.Automation.PSObject",
        "System.Management.IWbemClassObjectFreeThreaded",
        "System.Reflection.Assembly",
        "System.Reflection.MemberInfo",
        "System.Reflection.Module",
        "System.Resources.ResXResourceSet",
        "System.Resources.ResourceReader",
        "System.Resources.ResourceSet",
        "System.Runtime.Loader.AssemblyLoadContext",
        "System.Runtime.Serialization.Formatters.Binary.BinaryFormatter",
        "System.Runtime.InteropServices.SafeHandle",
        "System.Security.Claims.ClaimsIdentity",
        "System.Security.Claims.ClaimsPrincipal",
        "System.Security.Principal.WindowsIdentity",
        "System.Threading.Tasks.Task",
        "System.Threading.Thread",
        "System.Timers.Timer",
        "System.Web.Security.RolePrincipal",
        "System.Web.UI.LosFormatter",
        "System.Windows.Data.ObjectDataProvider",
        "System.Windows.ResourceDictionary",
        "System.Workflow.ComponentModel.Activity",
        "System.Xml.XmlDocument",
        "Microsoft.VisualStudio.Text.Formatting.TextFormattingRunProperties");

    public static bool Contains(Type type)
    {
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            if (Names.Contains((current.IsGenericType ? current.GetGenericTypeDefinition() : current).FullName ?? ""))
            {
                return true;
            }
        }

        return false;
    }
}
